import type { ChangeLine } from '../../src/operations/operations-views.js';
import { path } from '../api/call.js';
import { Select, TextInput } from '../controls/form.js';
import { Empty, Shown, useAnswer } from '../controls/loaded.js';
import { type Column, Table } from '../controls/table.js';
import { At } from '../controls/time.js';
import { choose, query } from '../place/place.js';
import { whatWasDone } from './what-was-done.js';

const WHAT = ['flow', 'state', 'reset', 'user', 'key', 'endpoint', 'effect', 'environment'];
const CHOICES = { '': 'everything', ...Object.fromEntries(WHAT.map((what) => [what, what])) };

/** Who did what, the newest first. */
export function LogTab({ environment }: { environment: string }) {
  const by = query.value.get('by') ?? '';
  const what = query.value.get('what') ?? '';
  const asked = new URLSearchParams({ ...(by && { by }), ...(what && { what }) }).toString();
  const log = useAnswer<{ entries: ChangeLine[] }>(`${path`/api/${environment}/log`}${asked && `?${asked}`}`);
  return (
    <div class="stack">
      <div class="toolbar">
        <TextInput label="By" value={by} placeholder="anybody" onChange={(next) => choose({ by: next || undefined })} />
        <Select label="About" value={what} of={CHOICES} onChange={(next) => choose({ what: next || undefined })} />
      </div>
      <Shown of={log} what="the log">
        {({ entries }) => (entries.length === 0 ? <Empty title="Nothing was done" /> : <Entries entries={entries} />)}
      </Shown>
    </div>
  );
}

const COLUMNS: readonly Column<ChangeLine>[] = [
  { title: 'When', isFaint: true, cell: ({ at }) => <At at={at} /> },
  { title: 'Who', isHead: true, cell: ({ by }) => by },
  {
    title: 'What',
    isLong: true,
    cell: ({ action, subject, environment, outcome }) => (
      <>
        {whatWasDone(action)} <b>{subject}</b> {environment && <span class="chip">{environment}</span>}{' '}
        {outcome !== 'done' && <span class="chip warn">{outcome}</span>}
      </>
    ),
  },
  { title: 'Why', isLong: true, cell: ({ reason }) => reason },
];

function Entries({ entries }: { entries: ChangeLine[] }) {
  return <Table rows={entries} keyOf={({ at }, index) => `${at} ${index}`} columns={COLUMNS} />;
}
