import type { EntityManager } from 'typeorm';
import { DomainError } from '../../database/errors/index.js';
import { ResetRun } from './reset-run.js';

/** What operators see of a reset of many users, or of an undo of one. */
const LISTED = {
  ...({
    id: true,
    flow: true,
    version: true,
    by: true,
    reason: true,
    condition: true,
    force: true,
    undoes: true,
  } as const),
  ...({ matched: true, reset: true, unchanged: true, movedOn: true, failed: true } as const),
  ...({ createdAt: true, updatedAt: true, finishedAt: true } as const),
};

/**
 * `stopped` before its end, by Ctrl-C or by the death of its process: the same command continues
 * it.
 */
type ResetProgress = 'running' | 'stopped' | 'ended';

export type ListedReset = Omit<Pick<ResetRun, keyof typeof LISTED>, 'createdAt' | 'updatedAt'> & {
  readonly startedAt: Date;
  readonly progress: ResetProgress;
};

/**
 * A run stores its position after each page, which takes a few seconds even where many users are
 * locked.
 */
const SILENT_MS = 60_000;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Whether a text may be the id of a run, of some environment. */
export const isRunId = (text: string): boolean => UUID.test(text);

/** The runs of an environment, the newest first, at most `limit`. */
export async function listResets(
  manager: EntityManager,
  environmentId: string,
  { limit = 100 }: { limit?: number } = {},
): Promise<ListedReset[]> {
  const order = { createdAt: 'DESC', id: 'ASC' } as const;
  const runs = await manager.find(ResetRun, {
    select: LISTED,
    where: { environmentId },
    order,
    take: limit,
  });
  const [{ now }] = await manager.query<[{ now: Date }]>('SELECT now() AS now');
  return runs.map(({ createdAt: startedAt, updatedAt, ...run }) => ({
    ...run,
    startedAt,
    progress: progressOf(run.finishedAt, now.getTime() - updatedAt.getTime()),
  }));
}

const progressOf = (finishedAt: Date | null, silentMs: number): ResetProgress =>
  finishedAt ? 'ended' : silentMs < SILENT_MS ? 'running' : 'stopped';

/** Throws `run.unknown`, for a run of another environment too. */
export async function getResetRun(
  manager: EntityManager,
  environmentId: string,
  id: string,
): Promise<ResetRun> {
  const run = isRunId(id) ? await manager.findOneBy(ResetRun, { id, environmentId }) : null;
  if (run) return run;
  throw new DomainError(
    'run.unknown',
    `there is no reset run ${JSON.stringify(id)} in this environment; "resets list" shows them`,
  );
}
