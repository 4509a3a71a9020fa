import type { DataSource } from 'typeorm';
import { type Author, recordWork } from '../../database/audit/index.js';
import type { StateBefore } from '../../engine/index.js';
import { invalidRequest } from '../../database/errors/index.js';
import type { ResolvedFlow } from '../../flows/catalogue/resolved-flow.js';
import { getResetRun, isRunId } from './list-resets.js';
import type { LongWork, OperatorAccess } from '../command/operator-access.js';
import { FIRST_USER, pageThrough } from './page-through.js';
import { ResetRun } from './reset-run.js';

export interface Undone {
  /** The run that the undo itself is, which can be undone too; null for a dry run. */
  readonly run: string | null;
  /** Those who are back where they were before the run. */
  readonly restored: number;
  /** Those whose state has moved since, and who are left where they are. */
  readonly movedOn: number;
  /** Too much contention, gone by then, or what they were before is no longer kept. */
  readonly failed: number;
}

export interface UndoOptions extends LongWork<Undone> {
  /** Only counts. */
  readonly dryRun?: boolean;
  /** Called when an earlier undo that was killed is continued. */
  readonly onResume?: (began: Date, undone: Undone) => void;
}

interface Candidate {
  userId: string;
  identifier: string;
  revision: number;
  /** Whose the last event of the state is: of the run, of its undo, or of neither. */
  last: 'run' | 'undo' | 'other' | 'lost';
  before: StateBefore | null;
}

const PAGE = 200;

/**
 * Those who have an event of the run ($5). The key of its events is its id, and that of an undo is
 * the undo's ($6).
 */
const CANDIDATES = `
  SELECT s.user_id AS "userId", u.identifier, s.revision, e.event->'before' AS before,
    CASE WHEN e.idempotency_key = $5 THEN 'run' WHEN e.idempotency_key = $6 THEN 'undo'
         WHEN e.user_id IS NULL THEN 'lost' ELSE 'other' END AS last
  FROM flow_states s JOIN users u ON u.user_id = s.user_id
  LEFT JOIN flow_events e ON e.user_id = s.user_id AND e.flow = s.flow AND e.version = s.version AND e.revision = s.revision
  WHERE s.flow = $1 AND s.version = $2 AND s.user_id > $3 AND u.environment_id = $4 AND (
    e.idempotency_key IN ($5, $6) OR e.user_id IS NULL AND s.recent_keys[cardinality(s.recent_keys)] = $5
    OR EXISTS (SELECT 1 FROM flow_events o WHERE o.user_id = s.user_id AND o.flow = s.flow AND o.version = s.version
      AND o.idempotency_key = $5))
  ORDER BY s.user_id LIMIT ${PAGE}`;

/**
 * Gives everybody whose state has not moved since a run the state from before it back, each as a
 * new event (I5, I6). A run that is under way is ended by it; an undo that was killed is continued.
 * Effects that the run caused are not taken back. Throws `run.unknown`, and `request.invalid` for a
 * run that was undone already or is from before runs could be undone.
 */
export async function undoReset(
  access: OperatorAccess,
  environmentId: string,
  id: string,
  options: UndoOptions,
  author: Author,
): Promise<Undone> {
  const { dataSource, catalogue } = access;
  const prepare = async () => {
    const undone = await getUndoable(dataSource, environmentId, id);
    return { undone, flow: await catalogue.getFlow(undone.flow, undone.version) };
  };
  if (options.dryRun) return countOnly(dataSource, (await prepare()).undone);
  // Said from the beginning, for the row of a process that is killed.
  const act = { action: 'reset.undo', environmentId, ...(isRunId(id) && { subject: `run ${id}` }) };
  return recordWork(dataSource, act, author, async (notes) => {
    const { undone, flow } = await prepare();
    notes.subject = `run ${undone.id} of ${undone.flow} version ${undone.version}`;
    const run = await begin(dataSource, undone, author, options);
    await pageThrough(access, run, notes, options, {
      load: () => loadPage(dataSource, undone, run),
      work: (user) => undoOne(access, flow, run, user),
      counts: () => undoneOf(run),
    });
    return undoneOf(run);
  });
}

/** The undo of a run that is complete for all its users; others may be tried again. */
const UNDO_OF =
  'SELECT id FROM reset_runs WHERE undoes = $1 AND finished_at IS NOT NULL AND failed = 0 LIMIT 1';

/** The run to be undone, looked up before anything else. Throws as `undoReset` does. */
export async function getUndoable(
  { manager }: DataSource,
  environmentId: string,
  id: string,
): Promise<ResetRun> {
  const run = await getResetRun(manager, environmentId, id);
  if (run.by === null)
    throw invalidRequest(
      `run ${id} is from before runs were kept, and its states are not: it cannot be undone`,
    );
  const [undo] = await manager.query<{ id: string }[]>(UNDO_OF, [id]);
  if (undo)
    throw invalidRequest(
      `run ${id} was undone already, by run ${undo.id}; that one can be undone in its turn`,
    );
  return run;
}

const loadPage = (
  dataSource: DataSource,
  undone: ResetRun,
  { id, afterUserId }: Pick<ResetRun, 'id' | 'afterUserId'>,
) => {
  const { flow, version, environmentId } = undone;
  const values = [flow, version, afterUserId ?? FIRST_USER, environmentId, undone.id, id];
  return dataSource.query<Candidate[]>(CANDIDATES, values);
};

async function countOnly(dataSource: DataSource, undone: ResetRun): Promise<Undone> {
  const counts = { run: 0, undo: 0, other: 0, lost: 0 };
  for (let afterUserId: string | null = null; ;) {
    const page: Candidate[] = await loadPage(dataSource, undone, { id: undone.id, afterUserId });
    for (const { last } of page) counts[last]++;
    afterUserId = page.at(-1)?.userId ?? null;
    if (afterUserId === null)
      return { run: null, restored: counts.run, movedOn: counts.other, failed: counts.lost };
  }
}

/**
 * Ends the run that is undone, so that it cannot be continued, and finds or makes that of the undo.
 */
async function begin(
  dataSource: DataSource,
  undone: ResetRun,
  author: Author,
  options: UndoOptions,
): Promise<ResetRun> {
  const runs = dataSource.getRepository(ResetRun);
  await dataSource.query(
    'UPDATE reset_runs SET finished_at = now() WHERE id = $1 AND finished_at IS NULL',
    [undone.id],
  );
  const killed = await dataSource.query<{ id: string }[]>(
    'SELECT id FROM reset_runs WHERE undoes = $1 AND finished_at IS NULL ORDER BY created_at DESC LIMIT 1',
    [undone.id],
  );
  if (killed[0]) {
    const run = await runs.findOneByOrFail({ id: killed[0].id });
    options.onResume?.(run.createdAt, undoneOf(run));
    return run;
  }
  const { environmentId, flow, version } = undone;
  return runs.save(
    ResetRun.of(
      {
        environmentId,
        flow,
        version,
        condition: undone.condition,
        force: false,
        undoes: undone.id,
      },
      author,
    ),
  );
}

async function undoOne(
  { runner }: OperatorAccess,
  flow: ResolvedFlow,
  run: ResetRun,
  { identifier, revision, last, before }: Candidate,
): Promise<'reset' | 'movedOn' | 'failed'> {
  run.matched++;
  if (last === 'undo') return 'reset';
  if (last === 'other') return 'movedOn';
  if (!before) return 'failed';
  const actor = { environmentId: run.environmentId, user: identifier };
  const wanted = { kind: 'restore', ...before, ifRevision: revision } as const;
  const result = await runner.run(flow, actor, wanted, {
    mark: run.id,
    keepsBefore: true,
    byOperator: true,
  });
  return result.tookEffect || result.revision === revision ? 'reset' : 'movedOn';
}

const undoneOf = ({ id, reset, movedOn, failed }: ResetRun): Undone => ({
  run: id,
  restored: reset,
  movedOn,
  failed,
});
