import { IsNull } from 'typeorm';
import type { Notes } from '../../database/audit/index.js';
import { DomainError, invalidRequest } from '../../database/errors/index.js';
import type { LongWork, OperatorAccess } from '../command/operator-access.js';
import { countsOf, ResetRun } from './reset-run.js';

/** Users that are processed at the same time, each on a connection of its own. */
const AT_ONCE = 8;
/**
 * The share of all users up to this id, from 0 to 1: ids are hashes, so they are spread evenly (ADR
 * 18).
 */
export const shareBehind = (userId: string | null): number =>
  Number.parseInt(userId?.slice(0, 8) ?? '0', 16) / 2 ** 32;

export const FIRST_USER = '00000000-0000-0000-0000-000000000000';

interface Pages<User, Counts> {
  /** The users behind `run.afterUserId`, by id; none at the end. */
  readonly load: () => Promise<User[]>;
  /**
   * What is to be counted of one user, if anything; what it throws ends the run, which can be
   * continued.
   */
  readonly work: (user: User) => Promise<'reset' | 'unchanged' | 'movedOn' | 'failed' | undefined>;
  /**
   * How far the run has come, as it is reported after each page, and to the audit log in the end.
   */
  readonly counts: () => Counts;
}

/**
 * Takes a run through its users, page by page, from where it is to its end. Its position is stored
 * after each page, so that a run that is killed repeats one page at most; the work has to bear
 * that.
 */
export async function pageThrough<User extends { userId: string }, Counts extends object>(
  { dataSource, changes }: Pick<OperatorAccess, 'dataSource' | 'changes'>,
  run: ResetRun,
  notes: Notes,
  { onProgress, signal }: LongWork<Counts>,
  { load, work, counts }: Pages<User, Counts>,
): Promise<void> {
  try {
    for (;;) {
      signal?.throwIfAborted();
      const page = await load();
      const last = page.at(-1);
      if (!last) break;
      await sideBySide(page, async (user) => {
        const count = await countOf(work(user));
        if (count) run[count]++;
      });
      run.afterUserId = last.userId;
      await note({ afterUserId: last.userId });
      await changes.flush?.();
      await onProgress?.(counts(), shareBehind(last.userId));
    }
    await note({ finishedAt: () => 'now()' });
  } finally {
    const whom = run.condition === null ? 'everybody' : 'those of its condition';
    notes.result = { run: run.id, whom, ...counts() };
    await changes.flush?.();
  }

  async function note(more: { afterUserId?: string; finishedAt?: () => string }): Promise<void> {
    const noted = { ...countsOf(run), movedOn: run.movedOn, ...more, updatedAt: () => 'now()' };
    const { affected } = await dataSource.manager.update(
      ResetRun,
      { id: run.id, finishedAt: IsNull() },
      noted,
    );
    if (affected === 0) throw invalidRequest(`run ${run.id} was ended, since it is being undone`);
  }
}

async function sideBySide<User>(
  users: readonly User[],
  work: (user: User) => Promise<void>,
): Promise<void> {
  const waiting = [...users];
  const next = async () => {
    for (let user = waiting.pop(); user; user = waiting.pop()) await work(user);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}

/**
 * A user who has been deleted since, or whose state too many others write, does not end the run.
 */
async function countOf<Count>(work: Promise<Count>): Promise<Count | 'failed'> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof DomainError && ['user.unknown', 'service.overloaded'].includes(error.code))
      return 'failed';
    throw error;
  }
}
