import { useState } from 'preact/hooks';
import type { EffectRow, RunRow } from '../../src/operations/operations-views.js';
import { call, path } from '../api/call.js';
import { stream } from '../api/stream.js';
import { Doing, useDoing } from '../controls/doing.js';
import { Link } from '../controls/link.js';
import { Empty, Shown, useLoaded } from '../controls/loaded.js';
import { Ago, countText } from '../controls/time.js';
import { to } from '../place/place.js';
import { mayEdit } from '../session/session.js';

/** Webhooks and triggers that wait or have failed, and resets of many users. */
export function ProblemsTab({ environment }: { environment: string }) {
  const effects = useLoaded(`effects ${environment}`, (signal) =>
    call<{ effects: EffectRow[] }>(path`/api/${environment}/effects`, { signal }),
  );
  const runs = useLoaded(`runs ${environment}`, (signal) => call<{ runs: RunRow[] }>(path`/api/${environment}/runs`, { signal }));
  return (
    <div class="stack">
      <section class="stack close">
        <h2>Webhooks and flow triggers</h2>
        <Shown of={effects} what="the webhooks">
          {({ effects: rows }) =>
            rows.length === 0 ? (
              <Empty title="Nothing waits, nothing has failed" />
            ) : (
              <Effects rows={rows} environment={environment} onDone={effects.reload} />
            )
          }
        </Shown>
      </section>
      <section class="stack close">
        <h2>Resets of many users</h2>
        <Shown of={runs} what="the resets">
          {({ runs: rows }) =>
            rows.length === 0 ? (
              <Empty title="There were none" />
            ) : (
              <Runs rows={rows} environment={environment} onDone={runs.reload} />
            )
          }
        </Shown>
      </section>
    </div>
  );
}

interface RowsProps<Row> {
  rows: Row[];
  environment: string;
  onDone: () => void;
}

function Effects({ rows, environment, onDone }: RowsProps<EffectRow>) {
  const doing = useDoing();
  const retry = (id: string) => doing.run(() => call(path`/api/${environment}/effects/${id}/retry`, { body: {} }).then(onDone));
  return (
    <>
      <Doing of={doing} />
      <div class="table-box" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col">For</th>
              <th scope="col">State</th>
              <th scope="col">
                <span class="unseen">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.id}>
                <th scope="row">
                  {row.what}
                  <p class="faint small">
                    {row.flow}, version {row.version}
                  </p>
                </th>
                <td>
                  <Link to={to(environment, 'users', row.user)}>{row.user}</Link>
                </td>
                <td>
                  {row.failedAt ? (
                    <span class="chip bad">failed</span>
                  ) : (
                    <span class="chip">waits{row.attempts > 0 ? `, tried ${row.attempts} times` : ''}</span>
                  )}
                  {row.lastError && <p class="faint small">{row.lastError}</p>}
                </td>
                <td>
                  {mayEdit.value && (
                    <button type="button" class="tight" disabled={doing.isBusy} onClick={() => void retry(row.id)}>
                      Try again now
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function Runs({ rows, environment, onDone }: RowsProps<RunRow>) {
  const doing = useDoing();
  const [told, tell] = useState<string>();
  const undo = (id: string) =>
    doing.run(async () => {
      const { restored, movedOn, failed } = await stream<{ restored: number; movedOn: number; failed: number }>(
        path`/api/${environment}/runs/${id}/undo`,
        { body: {}, onProgress: (progress) => tell(`${countText((progress as { restored: number }).restored)} so far`) },
      );
      tell(`${countText(restored)} are back where they were, ${countText(movedOn)} had moved on, ${countText(failed)} failed.`);
      onDone();
    });
  return (
    <>
      <Doing of={doing} />
      {told && (
        <p class="note" role="status">
          {told}
        </p>
      )}
      <div class="table-box" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Flow</th>
              <th scope="col">Users</th>
              <th scope="col">Who</th>
              <th scope="col">When</th>
              <th scope="col">
                <span class="unseen">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.id}>
                <th scope="row">
                  {row.flow}, version {row.version} {row.undoes && <span class="chip">undo</span>}
                </th>
                <td>
                  {countText(row.reset)} {row.undoes ? 'back' : 'reset'}
                  {row.failed > 0 && `, ${countText(row.failed)} failed`}
                  {!row.finishedAt && <span class="chip warn">not finished</span>}
                </td>
                <td class="faint">{row.by ?? 'unknown'}</td>
                <td class="faint">
                  <Ago at={row.startedAt} />
                </td>
                <td>
                  {mayEdit.value && row.by !== null && (
                    <button type="button" class="tight" disabled={doing.isBusy} onClick={() => void undo(row.id)}>
                      Undo
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
