import { useState } from 'preact/hooks';
import type { EffectLine, RunLine } from '../../src/operations/operations-views.js';
import { call, path } from '../api/call.js';
import { stream } from '../api/stream.js';
import { Doing, useDoing } from '../controls/doing.js';
import { Link } from '../controls/link.js';
import { Empty, Shown, useAnswer } from '../controls/loaded.js';
import { type Column, Table } from '../controls/table.js';
import { Ago, countText } from '../controls/time.js';
import { to } from '../place/place.js';
import { mayEdit } from '../session/session.js';
import { Endpoints } from './endpoints.js';

/** Webhooks and triggers that wait or have failed, endpoints, and resets of many users. */
export function ProblemsTab({ environment }: { environment: string }) {
  const effects = useAnswer<{ effects: EffectLine[] }>(path`/api/${environment}/effects`);
  const runs = useAnswer<{ runs: RunLine[] }>(path`/api/${environment}/runs`);
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
      <Endpoints environment={environment} />
      <section class="stack close">
        <h2>Resets of many users</h2>
        <Shown of={runs} what="the resets">
          {({ runs: rows }) =>
            rows.length === 0 ? (
              <Empty title="There were none">
                <p>What a flow's menu resets for many users is listed here, to be taken back.</p>
              </Empty>
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

function Effects({ rows, environment, onDone }: RowsProps<EffectLine>) {
  const doing = useDoing();
  const retry = (id: string) => doing.run(() => call(path`/api/${environment}/effects/${id}/retry`, { body: {} }).then(onDone));
  const columns: Column<EffectLine>[] = [
    {
      title: 'What',
      isHead: true,
      cell: ({ what, flow, version }) => (
        <>
          {what}
          <p class="faint small">
            {flow}, version {version}
          </p>
        </>
      ),
    },
    { title: 'For', cell: ({ user }) => <Link to={to(environment, 'users', user)}>{user}</Link> },
    { title: 'State', isLong: true, cell: (row) => <EffectState row={row} /> },
    {
      cell: ({ id }) =>
        mayEdit.value && (
          <button type="button" class="tight" disabled={doing.isBusy} onClick={() => void retry(id)}>
            Try again now
          </button>
        ),
    },
  ];
  return (
    <>
      <Doing of={doing} />
      <Table rows={rows} keyOf={({ id }) => id} columns={columns} />
    </>
  );
}

function EffectState({ row: { failedAt, attempts, lastError } }: { row: EffectLine }) {
  return (
    <>
      {failedAt ? (
        <span class="chip bad">failed</span>
      ) : (
        <span class="chip">waits{attempts > 0 ? `, tried ${attempts} times` : ''}</span>
      )}
      {lastError && <p class="faint small">{lastError}</p>}
    </>
  );
}

function Runs({ rows, environment, onDone }: RowsProps<RunLine>) {
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
  const columns: Column<RunLine>[] = [
    {
      title: 'Flow',
      isHead: true,
      cell: ({ flow, version, undoes }) => (
        <>
          {flow}, version {version} {undoes && <span class="chip">undo</span>}
        </>
      ),
    },
    {
      title: 'Users',
      cell: ({ reset, undoes, failed, finishedAt }) => (
        <>
          {countText(reset)} {undoes ? 'back' : 'reset'}
          {failed > 0 && `, ${countText(failed)} failed`} {!finishedAt && <span class="chip warn">not finished</span>}
        </>
      ),
    },
    { title: 'Who', isFaint: true, cell: ({ by }) => by ?? 'unknown' },
    { title: 'When', isFaint: true, cell: ({ startedAt }) => <Ago at={startedAt} /> },
    {
      cell: ({ id, by }) =>
        mayEdit.value &&
        by !== null && (
          <button type="button" class="tight" disabled={doing.isBusy} onClick={() => void undo(id)}>
            Undo
          </button>
        ),
    },
  ];
  return (
    <>
      <Doing of={doing} />
      {told && (
        <p class="note" role="status">
          {told}
        </p>
      )}
      <Table rows={rows} keyOf={({ id }) => id} columns={columns} />
    </>
  );
}
