import type { EntityManager } from 'typeorm';
import { DomainError } from '../../errors/index.js';
import { ResetRun } from './reset-run.js';

/** A reset of many users, or an undo of one, as operators see it. */
export interface ListedReset {
  readonly id: string;
  readonly flow: string;
  readonly version: number;
  /** Who began it; null for runs from before this was kept, which cannot be undone. */
  readonly by: string | null;
  readonly reason: string | null;
  /** Source text of the condition; null for everybody. */
  readonly condition: string | null;
  readonly force: boolean;
  /** The run that this one takes back; null for a reset. */
  readonly undoes: string | null;
  readonly matched: number;
  /** Users who were reset, or who got their state back. */
  readonly reset: number;
  readonly unchanged: number;
  /** Of an undo: users whose state had moved since, and who were left. */
  readonly movedOn: number;
  readonly failed: number;
  readonly startedAt: Date;
  /** Null while it is under way, and when it was killed. */
  readonly finishedAt: Date | null;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The runs of an environment, the newest first, at most `limit`. */
export async function listResets(
  manager: EntityManager,
  environmentId: string,
  { limit = 100 }: { limit?: number } = {},
): Promise<ListedReset[]> {
  const runs = await manager.find(ResetRun, { where: { environmentId }, order: { createdAt: 'DESC', id: 'ASC' }, take: limit });
  return runs.map((run) => ({
    id: run.id,
    flow: run.flow,
    version: run.version,
    by: run.by,
    reason: run.reason,
    condition: run.condition,
    force: run.force,
    undoes: run.undoes,
    matched: run.matched,
    reset: run.reset,
    unchanged: run.unchanged,
    movedOn: run.movedOn,
    failed: run.failed,
    startedAt: run.createdAt,
    finishedAt: run.finishedAt,
  }));
}

/** Throws `run.unknown`, for a run of another environment too. */
export async function getResetRun(manager: EntityManager, environmentId: string, id: string): Promise<ResetRun> {
  const run = UUID.test(id) ? await manager.findOneBy(ResetRun, { id, environmentId }) : null;
  if (run) return run;
  throw new DomainError(
    'run.unknown',
    `there is no reset run ${JSON.stringify(id)} in this environment; "resets list" shows them`,
  );
}
