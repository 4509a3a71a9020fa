import { randomUUID } from 'node:crypto';
import type { Database, RunStatement } from '../../database/database.js';
import { attentionValues, stateValues, type StateWrite } from './state-write.js';
import { WRITE_IN_STEPS } from './write-statements.js';

/**
 * Nothing was written, since the user has met another version after it was decided that a delay
 * goes on (ADR 91).
 */
export class CarriedOver extends Error {}

export const isChecked = ({ source, owner }: StateWrite): boolean =>
  source !== undefined || owner.newerStates !== undefined;

/**
 * Writes in one transaction, and takes it back where what it was decided by is no longer so. What
 * it looks at is locked or written first: of a delay that goes on and a migration that takes it
 * over, the second one sees the first (ADR 91).
 */
export async function writeChecked(
  database: Database,
  { owner, flow: { flow, version }, source }: StateWrite,
  work: (run: RunStatement) => Promise<boolean>,
): Promise<boolean> {
  const { userId, newerStates } = owner;
  let isCarriedOver = false;
  const isWritten = await database.transaction(async (run) => {
    if (!(await work(run))) return false;
    if (source) {
      const key = [userId, flow, source.version, source.revision];
      if ((await run(WRITE_IN_STEPS.lockSource, key)).length === 0) return false;
    }
    if (newerStates === undefined) return true;
    const [row] = await run<{ newer: number }>(WRITE_IN_STEPS.countNewer, [userId, flow, version]);
    isCarriedOver = row?.newer !== newerStates;
    return !isCarriedOver;
  });
  if (isCarriedOver) throw new CarriedOver();
  return isWritten;
}

/** As `WRITE_STATE`, for tables that are distributed: false when nothing was written. */
export function writeInSteps(database: Database, write: StateWrite): Promise<boolean> {
  const { owner, flow, before, after, events, unasked, effects, delays, attention } = write;
  const { userId, groupIdentifier, idempotencyKey, origin, chain, trace } = owner;
  const key = [userId, flow.flow, flow.version];
  return writeChecked(database, write, async (run) => {
    if (attention) {
      // In the order in which a deletion takes them: the user, the group, the state (Q4).
      if (before === 0) await run(WRITE_IN_STEPS.lockUser, [userId]);
      const { group, revision } = attention;
      const locked = await run(WRITE_IN_STEPS.lockAttention, [userId, group, revision]);
      if (locked.length === 0) return false;
    }
    const statement = before === 0 ? WRITE_IN_STEPS.insert : WRITE_IN_STEPS.update;
    const written = await run(statement, stateValues(write));
    if (written.length === 0) return false;
    for (const [index, event] of events.entries()) {
      const left = events.length - 1 - index;
      const ownKey = left === unasked ? idempotencyKey : null;
      const cause = left < unasked ? 'condition' : origin;
      const values = [...key, before + index + 1, event, ownKey, groupIdentifier, cause];
      await run(WRITE_IN_STEPS.event, values);
    }
    for (const { revision, position, effect } of effects) {
      const cause = [groupIdentifier, chain, trace && JSON.stringify(trace)];
      // The column's default would be a volatile function, which Citus computes elsewhere.
      const values = [...key, revision, position, effect, ...cause, randomUUID()];
      await run(WRITE_IN_STEPS.effect, values);
    }
    for (const { block, until } of delays) {
      const cause = [groupIdentifier, trace && JSON.stringify(trace)];
      await run(WRITE_IN_STEPS.delay, [...key, block, after, until, ...cause]);
    }
    if (attention) await run(WRITE_IN_STEPS.noteAttention, [userId, ...attentionValues(attention)]);
    return true;
  });
}
