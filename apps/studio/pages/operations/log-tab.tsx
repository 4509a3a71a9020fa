import { Options } from '../controls/options.js';
import type { ChangeLine } from '../../src/operations/operations-views.js';
import { call, path } from '../api/call.js';
import { Empty, Shown, useLoaded } from '../controls/loaded.js';
import { type Column, Table } from '../controls/table.js';
import { At } from '../controls/time.js';
import { choose, query } from '../place/place.js';
import { whatWasDone } from './what-was-done.js';

const WHAT = ['flow', 'state', 'reset', 'user', 'key', 'endpoint', 'effect', 'environment'];

/** Who did what, the newest first. */
export function LogTab({ environment }: { environment: string }) {
  const by = query.value.get('by') ?? '';
  const what = query.value.get('what') ?? '';
  const asked = new URLSearchParams({ ...(by && { by }), ...(what && { what }) }).toString();
  const log = useLoaded(`log ${environment} ${asked}`, (signal) =>
    call<{ entries: ChangeLine[] }>(`${path`/api/${environment}/log`}${asked && `?${asked}`}`, { signal }),
  );
  return (
    <div class="stack">
      <div class="toolbar">
        <label class="field">
          <span>By</span>
          <input
            value={by}
            placeholder="anybody"
            onChange={({ currentTarget }) => choose({ by: currentTarget.value || undefined })}
          />
        </label>
        <label class="field">
          <span>About</span>
          <select value={what} onChange={({ currentTarget }) => choose({ what: currentTarget.value || undefined })}>
            <option value="">everything</option>
            <Options of={WHAT} />
          </select>
        </label>
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
