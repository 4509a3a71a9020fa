import { useEffect, useRef } from 'preact/hooks';
import { Link } from '../controls/link.js';
import { query } from '../router/router.js';
import { AttentionTab } from './attention-tab.js';
import { EnvironmentsTab } from './environments-tab.js';
import { KeysTab } from './keys-tab.js';
import { LogTab } from './log-tab.js';
import { ProblemsTab } from './problems-tab.js';

const TABS = [
  { name: undefined, title: 'Problems' },
  { name: 'keys', title: 'Keys' },
  { name: 'environments', title: 'Environments' },
  { name: 'attention', title: 'Taking turns' },
  { name: 'log', title: 'Log' },
] as const;

/** What operators keep an eye on (T11). */
export function OperationsPage({ environment }: { environment: string }) {
  const tab = query.value.get('tab') ?? undefined;
  const tabs = useRef<HTMLElement>(null);
  // Where there is no room for all of them, the one that is open is in sight.
  useEffect(() => {
    const current = tabs.current?.querySelector('[aria-current]');
    current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [tab]);
  return (
    <>
      <div class="page-head">
        <div>
          <h1>Operations</h1>
          <p class="faint">What is waiting or has failed, keys, environments, and who did what.</p>
        </div>
      </div>
      <nav ref={tabs} class="tabs tabbed" aria-label="Operations">
        {TABS.map(({ name, title }) => (
          <Link
            key={title}
            to={`${location.pathname}${name ? `?tab=${name}` : ''}`}
            current={tab === name}
          >
            {title}
          </Link>
        ))}
      </nav>
      {tab === 'keys' && <KeysTab environment={environment} />}
      {tab === 'environments' && <EnvironmentsTab environment={environment} />}
      {tab === 'attention' && <AttentionTab environment={environment} />}
      {tab === 'log' && <LogTab environment={environment} />}
      {tab === undefined && <ProblemsTab environment={environment} />}
    </>
  );
}
