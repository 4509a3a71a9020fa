import { useEffect } from 'preact/hooks';
import { FlowsPage } from '../flows/flows-page.js';
import { FlowPage } from '../flow/flow-page.js';
import { Empty } from '../controls/loaded.js';
import { Link } from '../controls/link.js';
import { UserPage } from '../users/user-page.js';
import { UsersPage } from '../users/users-page.js';
import { parts, to } from '../place/place.js';

/** The view that the address names. */
export function View({ environment }: { environment: string }) {
  const [, section, subject] = parts.value;
  useEffect(() => {
    document.title = `${subject ?? section ?? 'Waymark'} · Waymark studio`;
  }, [section, subject]);
  if (section === 'flows' && subject === undefined) return <FlowsPage environment={environment} />;
  if (section === 'flows') return <FlowPage key={subject} environment={environment} flow={subject!} />;
  if (section === 'users' && subject === undefined) return <UsersPage environment={environment} />;
  if (section === 'users') return <UserPage key={subject} environment={environment} user={subject!} />;
  return (
    <Empty title="There is nothing here">
      <p>
        The address leads nowhere. <Link to={to(environment, 'flows')}>All flows</Link>
      </p>
    </Empty>
  );
}
