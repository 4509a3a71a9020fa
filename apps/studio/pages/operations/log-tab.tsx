import type { LogRow } from '../../src/operations/operations-views.js';
import { call, path } from '../api/call.js';
import { Empty, Shown, useLoaded } from '../controls/loaded.js';
import { At } from '../controls/time.js';
import { choose, query } from '../place/place.js';

const WHAT = ['flow', 'state', 'reset', 'user', 'key', 'effect', 'environment'];

/** Who did what, the newest first. */
export function LogTab({ environment }: { environment: string }) {
  const by = query.value.get('by') ?? '';
  const what = query.value.get('what') ?? '';
  const asked = new URLSearchParams({ ...(by && { by }), ...(what && { what }) }).toString();
  const log = useLoaded(`log ${environment} ${asked}`, (signal) =>
    call<{ entries: LogRow[] }>(`${path`/api/${environment}/log`}${asked && `?${asked}`}`, { signal }),
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
            {WHAT.map((word) => (
              <option key={word} value={word}>
                {word}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Shown of={log} what="the log">
        {({ entries }) => (entries.length === 0 ? <Empty title="Nothing was done" /> : <Entries entries={entries} />)}
      </Shown>
    </div>
  );
}

function Entries({ entries }: { entries: LogRow[] }) {
  return (
    <div class="table-box" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Who</th>
            <th scope="col">What</th>
            <th scope="col">Why</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry, index) => (
            <tr key={`${entry.at} ${index}`}>
              <td class="faint">
                <At at={entry.at} />
              </td>
              <th scope="row">{entry.by}</th>
              <td>
                <code>{entry.action}</code> {entry.subject} {entry.environment && <span class="chip">{entry.environment}</span>}{' '}
                {entry.outcome !== 'done' && <span class="chip warn">{entry.outcome}</span>}
              </td>
              <td>{entry.reason}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
