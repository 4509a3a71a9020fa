import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { Link } from '../controls/link.js';
import { Empty, Shown, useLoaded } from '../controls/loaded.js';
import { FlowPage } from '../flow/flow-page.js';
import { FlowsPage } from '../flows/flows-page.js';
import { OperationsPage } from '../operations/operations-page.js';
import { parts, to } from '../router/router.js';
import { UserPage } from '../users/user-page.js';
import { UsersPage } from '../users/users-page.js';

/** The view that the address names. */
export function View({ environment }: { environment: string }) {
  const [, section, subject, verb] = parts.value;
  useEffect(() => {
    document.title = `${subject ?? section ?? 'Waymark'} · Waymark studio`;
  }, [section, subject]);
  if (section === 'flows' && subject === undefined) return <FlowsPage environment={environment} />;
  if (section === 'flows' && verb === 'edit')
    return <Editor key={subject} environment={environment} flow={subject!} />;
  if (section === 'flows')
    return <FlowPage key={subject} environment={environment} flow={subject!} />;
  if (section === 'users' && subject === undefined) return <UsersPage environment={environment} />;
  if (section === 'users')
    return <UserPage key={subject} environment={environment} user={subject!} />;
  if (section === 'operations') return <OperationsPage environment={environment} />;
  return (
    <Empty title="Page not found">
      <p>
        There is no page at this address. <Link to={to(environment, 'flows')}>All flows</Link>
      </p>
    </Empty>
  );
}

/**
 * Loaded when it is first needed: people who only look at flows do without (T5). No flow is called
 * `~new`.
 */
function Editor({ environment, flow }: { environment: string; flow: string }) {
  const loaded = useLoaded<{
    Page: ComponentType<{ environment: string; flow: string | undefined }>;
  }>('editor', async () => {
    const { default: Page } = await import('../edit/edit-page.js');
    return { Page };
  });
  return (
    <Shown of={loaded} what="the editor">
      {({ Page }) => <Page environment={environment} flow={flow === '~new' ? undefined : flow} />}
    </Shown>
  );
}
