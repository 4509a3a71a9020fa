import { useFlowNames } from '../controls/use-flow-names.js';
import { useState } from 'preact/hooks';
import type { KeyLine, OpenTexts } from '../../src/environments/environment-views.js';
import type { RunLine, Some } from '../../src/operations/operations-views.js';
import { path } from '../api/call.js';
import { stream } from '../api/stream.js';
import { ConditionShown } from '../condition/condition-shown.js';
import { Doing, useDoing } from '../controls/doing.js';
import { Empty, Shown, useAnswer } from '../controls/loaded.js';
import { Link } from '../controls/link.js';
import { type Column, Table } from '../controls/table.js';
import { Ago, countText } from '../controls/time.js';
import { mayEdit } from '../session/session.js';
import { Effects } from './effects.js';
import { Endpoints } from './endpoints.js';

/**
 * Secret keys in web pages, what waits or was given up on its way out, endpoints, and resets of
 * many users.
 */
export function ProblemsTab({ environment }: { environment: string }) {
  const runs = useAnswer<Some<RunLine>>(path`/api/${environment}/runs`);
  return (
    <div class="stack">
      <SecretKeysInPages environment={environment} />
      <OpenTextsFound environment={environment} />
      <Effects environment={environment} />
      <Endpoints environment={environment} />
      <section class="stack close">
        <h2>Resets of many users</h2>
        <Shown of={runs} what="the resets">
          {(found) =>
            found.rows.length === 0 ? (
              <Empty title="No resets yet">
                <p>When you reset users from a flow's menu, you can undo it here.</p>
              </Empty>
            ) : (
              <Runs found={found} environment={environment} onDone={runs.reload} />
            )
          }
        </Shown>
      </section>
    </div>
  );
}

/** Nothing where there are none: it is no list that people come back to. */
function SecretKeysInPages({ environment }: { environment: string }) {
  const keys = useAnswer<{ keys: KeyLine[] }>(path`/api/${environment}/keys`);
  const found = (keys.value?.keys ?? []).filter(
    ({ seenInBrowserAt, revokedAt }) => seenInBrowserAt !== null && revokedAt === null,
  );
  if (found.length === 0) return null;
  const columns: Column<KeyLine>[] = [
    { title: 'Key', isHead: true, cell: ({ name }) => name ?? 'without a name' },
    {
      title: 'Last seen in a page',
      isFaint: true,
      cell: ({ seenInBrowserAt }) => <Ago at={seenInBrowserAt!} />,
    },
  ];
  return (
    <section class="stack close">
      <h2>Secret keys in web pages</h2>
      <p>
        Anybody who opens such a page can read the key and act for every user. Give the page a key
        for pages and your servers a new secret one, then revoke these.
      </p>
      <Table rows={found} keyOf={({ id }) => id} columns={columns} />
    </section>
  );
}

/** Nothing where there are none, or where users are verified. */
function OpenTextsFound({ environment }: { environment: string }) {
  const found = useAnswer<OpenTexts>(path`/api/${environment}/open-texts`);
  const flows = found.value?.flows ?? [];
  const nameOf = useFlowNames(environment);
  if (flows.length === 0) return null;
  return (
    <section class="stack close" aria-label="Texts that anybody may read">
      <h2>Texts that anybody may read</h2>
      <p>
        These flows show properties of users, and anybody with a page's key may read them as any
        user. Require user tokens in this environment to prevent that.
      </p>
      <ul class="list">
        {flows.map((flow) => (
          <li key={flow}>
            <Link to={path`/${environment}/flows/${flow}`}>{nameOf(flow)}</Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface RunsProps {
  found: Some<RunLine>;
  environment: string;
  onDone: () => void;
}

function Runs({ found, environment, onDone }: RunsProps) {
  const doing = useDoing();
  const nameOf = useFlowNames(environment);
  const [progress, setProgress] = useState<string>();
  const undo = (id: string) =>
    doing.run(async () => {
      setProgress(await undoRun(path`/api/${environment}/runs/${id}/undo`, setProgress));
      onDone();
    });
  /** An undo can be undone itself; what it undid, no second time. */
  const undone = new Set(
    found.rows.flatMap(({ undoes, finishedAt }) => (finishedAt ? (undoes ?? []) : [])),
  );
  const columns: Column<RunLine>[] = [
    {
      title: 'Flow',
      isHead: true,
      cell: ({ flow, version, undoes }) => (
        <>
          {nameOf(flow)}, version {version} {undoes && <span class="chip">undo</span>}
        </>
      ),
    },
    ...RUN_COLUMNS,
    {
      cell: ({ id, by }) => {
        if (undone.has(id)) return <span class="chip">undone</span>;
        return (
          mayEdit.value &&
          by !== null && (
            <button
              type="button"
              class="tight"
              disabled={doing.isBusy}
              onClick={() => void undo(id)}
            >
              Undo
            </button>
          )
        );
      },
    },
  ];
  return (
    <>
      <Doing of={doing} />
      {progress && (
        <p class="note" role="status">
          {progress}
        </p>
      )}
      <Table {...found} keyOf={({ id }) => id} columns={columns} />
    </>
  );
}

const RUN_COLUMNS: readonly Column<RunLine>[] = [
  {
    title: 'Users',
    cell: ({ reset, undoes, failed, finishedAt }) => (
      <>
        {countText(reset)} {undoes ? 'back' : 'reset'}
        {failed > 0 && `, ${countText(failed)} failed`}{' '}
        {!finishedAt && <span class="chip warn">not finished</span>}
      </>
    ),
  },
  {
    title: 'Why',
    isLong: true,
    cell: ({ reason, condition }) => (
      <>
        {reason}
        {condition && <ConditionShown text={condition} />}
      </>
    ),
  },
  { title: 'Who', isFaint: true, cell: ({ by }) => by ?? 'unknown' },
  { title: 'When', isFaint: true, cell: ({ startedAt }) => <Ago at={startedAt} /> },
];

/** Undoes a reset of many users; returns the result in words. */
async function undoRun(address: string, onProgress: (text: string) => void): Promise<string> {
  type Undone = { restored: number; movedOn: number; failed: number };
  const { restored, movedOn, failed } = await stream<Undone, Pick<Undone, 'restored'>>(address, {
    body: {},
    onProgress: (progress) => onProgress(`${countText(progress.restored)} so far`),
  });
  return `${countText(restored)} are back where they were, ${countText(movedOn)} had moved on, ${countText(failed)} failed.`;
}
