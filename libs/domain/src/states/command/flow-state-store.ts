import { Batcher, type BatchLimits } from '../../database/batcher.js';
import type { Database } from '../../database/database.js';
import { rowOf, type StateWrite, valuesOf } from './state-write.js';
import { writeInSteps } from './write-in-steps.js';
import {
  WRITE_IN_GROUP,
  WRITE_IN_GROUP_WITH_DELAYS,
  WRITE_STATE,
  WRITE_STATES,
  WRITE_WITH_DELAYS,
} from './write-statements.js';

const LIMITS: BatchLimits = {
  maxInFlight: 2,
  enoughRows: 32,
  maxWaitMs: 5,
  rows: 64,
  characters: 262_144,
  waiting: 5_000,
  waitingCharacters: 67_108_864,
  patienceMs: 2_000,
  sendsOnce: true,
};

/** Larger ones are written alone, so that they hold up nobody who would share their statement. */
const LARGE_CHARACTERS = 65_536;

/** Writes the next states of commands; those of different states that come at the same time share a statement and its commit. */
export class FlowStateStore {
  private readonly together: Batcher<StateWrite, boolean>;
  private readonly alone: Batcher<StateWrite, boolean>;

  constructor(
    private readonly database: Database,
    limits: Partial<BatchLimits> = {},
  ) {
    // The rest of the pool stays free for reads.
    const most = Math.max(1, (database.pool.options.max ?? 10) >> 1);
    const shared = { ...LIMITS, maxInFlight: Math.min(LIMITS.maxInFlight, most), ...limits };
    this.together = new Batcher((all) => this.writeAll(all), shared);
    this.alone = new Batcher(async ([write]) => [await this.writeOne(write!)], {
      ...shared,
      maxInFlight: most,
      enoughRows: 1,
      rows: 1,
    });
  }

  /**
   * False when the state is no longer the one that was read, or the user is gone; then nothing was written. False too, unless
   * `isAlone`, when another transaction has locked one of them: alone it waits for the lock. No two writes of one state may be
   * under way in a process. Throws `service.overloaded` when it is not sent by `until`, and `database.unavailable`, after which
   * it may have been written; it is never sent again then.
   */
  async write(write: StateWrite, until: number, isAlone: boolean): Promise<boolean> {
    const { characters } = write;
    const byItself =
      isAlone ||
      write.attention !== undefined ||
      write.delays.length > 0 ||
      characters > LARGE_CHARACTERS ||
      (await this.database.isDistributed());
    return (byItself ? this.alone : this.together).add(write, { rows: 1, characters }, until);
  }

  /** For each, whether it was written. */
  private async writeAll(all: readonly StateWrite[]): Promise<boolean[]> {
    if (all.length === 1) return [await this.writeOne(all[0]!)];
    const rows = await this.database.run<{ place: number }>(WRITE_STATES, [
      `[${all.map(rowOf).join(',')}]`,
    ]);
    const isWritten = new Array<boolean>(all.length).fill(false);
    for (const { place } of rows) isWritten[place] = true;
    return isWritten;
  }

  private async writeOne(write: StateWrite): Promise<boolean> {
    if (await this.database.isDistributed()) return writeInSteps(this.database, write);
    const [row] = await this.database.run<{ written: number }>(
      statementFor(write),
      valuesOf(write),
    );
    return row?.written === 1;
  }
}

function statementFor({ before, effects, delays, attention }: StateWrite) {
  const kind = before === 0 ? 'insert' : 'update';
  if (delays.length > 0) return (attention ? WRITE_IN_GROUP_WITH_DELAYS : WRITE_WITH_DELAYS)[kind];
  if (attention) return WRITE_IN_GROUP[kind];
  if (before === 0) return effects.length > 0 ? WRITE_STATE.insertWithEffects : WRITE_STATE.insert;
  return effects.length > 0 ? WRITE_STATE.updateWithEffects : WRITE_STATE.update;
}
