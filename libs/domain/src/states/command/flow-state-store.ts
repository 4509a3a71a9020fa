import { Batcher, type BatchLimits } from '../../database/batcher.js';
import type { Database } from '../../database/database.js';
import { rowOf, type StateWrite, valuesOf } from './state-write.js';
import { isChecked, writeChecked, writeInSteps } from './write-in-steps.js';
import {
  FIND_CARRIED_OVER,
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

/** Larger ones are written alone, so that they do not delay others in the same statement. */
const LARGE_CHARACTERS = 65_536;

/**
 * Writes the next states of commands; those of different states that come at the same time share a
 * statement and its commit.
 */
export class FlowStateStore {
  private readonly together: Batcher<StateWrite, boolean>;
  private readonly alone: Batcher<StateWrite, boolean>;
  /** Of delays that go on. */
  private readonly continued: Batcher<StateWrite, boolean>;

  constructor(
    private readonly database: Database,
    limits: Partial<BatchLimits> = {},
  ) {
    // The rest of the pool stays free for reads.
    const most = Math.max(1, (database.pool.options.max ?? 10) >> 1);
    const shared = { ...LIMITS, maxInFlight: Math.min(LIMITS.maxInFlight, most), ...limits };
    this.together = new Batcher((all) => this.writeAll(all), shared);
    // Requests go first.
    this.continued = new Batcher((all) => this.writeContinued(all), { ...shared, maxInFlight: 1 });
    this.alone = new Batcher(async ([write]) => [await this.writeOne(write!)], {
      ...shared,
      maxInFlight: most,
      enoughRows: 1,
      rows: 1,
    });
  }

  /**
   * False when the state is no longer the one that was read, or the user is gone; then nothing was
   * written. False too, unless `isAlone`, when another transaction has locked one of them: alone it
   * waits for the lock. No two writes of one state may be under way in a process. Throws
   * `CarriedOver`, `service.overloaded` when it is not sent by `until`, and `database.unavailable`,
   * after which it may have been written; it is never sent again then.
   */
  async write(write: StateWrite, until: number, isAlone: boolean): Promise<boolean> {
    const { characters } = write;
    const byItself =
      isAlone ||
      write.attention !== undefined ||
      write.delays.length > 0 ||
      write.source !== undefined ||
      characters > LARGE_CHARACTERS ||
      (await this.database.isDistributed());
    const shared = write.owner.newerStates === undefined ? this.together : this.continued;
    return (byItself ? this.alone : shared).add(write, { rows: 1, characters }, until);
  }

  /** For each, whether it was written. */
  private async writeAll(all: readonly StateWrite[]): Promise<boolean[]> {
    if (all.length === 1) return [await this.writeOne(all[0]!)];
    return writeTogether(this.database, all);
  }

  /**
   * The same, unless one of their users was carried over since: then none is written, and each is
   * tried alone.
   */
  private async writeContinued(all: readonly StateWrite[]): Promise<boolean[]> {
    if (all.length === 1) return [await this.writeOne(all[0]!)];
    let isWritten: boolean[] = [];
    const isDone = await this.database.transaction(async (run) => {
      isWritten = await writeTogether({ run }, all);
      return (await run(FIND_CARRIED_OVER, [JSON.stringify(all.map(newerOf))])).length === 0;
    });
    return isDone ? isWritten : all.map(() => false);
  }

  private async writeOne(write: StateWrite): Promise<boolean> {
    if (await this.database.isDistributed()) return writeInSteps(this.database, write);
    return isChecked(write)
      ? writeChecked(this.database, write, (run) => writeAlone({ run }, write))
      : writeAlone(this.database, write);
  }
}

type Connection = Pick<Database, 'run'>;

async function writeTogether(
  connection: Connection,
  all: readonly StateWrite[],
): Promise<boolean[]> {
  const rows = await connection.run<{ place: number }>(WRITE_STATES, [
    `[${all.map(rowOf).join(',')}]`,
  ]);
  const isWritten = new Array<boolean>(all.length).fill(false);
  for (const { place } of rows) isWritten[place] = true;
  return isWritten;
}

async function writeAlone(connection: Connection, write: StateWrite): Promise<boolean> {
  const [row] = await connection.run<{ written: number }>(statementFor(write), valuesOf(write));
  return row?.written === 1;
}

const newerOf = ({ owner: { userId, newerStates }, flow: { flow, version } }: StateWrite) => ({
  ...{ user_id: userId, flow, version },
  newer: newerStates,
});

function statementFor({ before, effects, delays, attention }: StateWrite) {
  const kind = before === 0 ? 'insert' : 'update';
  if (delays.length > 0) return (attention ? WRITE_IN_GROUP_WITH_DELAYS : WRITE_WITH_DELAYS)[kind];
  if (attention) return WRITE_IN_GROUP[kind];
  if (before === 0) return effects.length > 0 ? WRITE_STATE.insertWithEffects : WRITE_STATE.insert;
  return effects.length > 0 ? WRITE_STATE.updateWithEffects : WRITE_STATE.update;
}
