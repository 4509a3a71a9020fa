import { randomUUID } from 'node:crypto';
import type { Database } from '../../database/database.js';
import { attentionValues, stateValues, type StateWrite } from './state-write.js';
import { WRITE_IN_STEPS } from './write-statements.js';

/** As `WRITE_STATE`, for tables that are distributed: false when nothing was written. */
export function writeInSteps(database: Database, write: StateWrite): Promise<boolean> {
  const { owner, flow, before, after, events, unasked, effects, delays, attention } = write;
  const { userId, groupIdentifier, idempotencyKey, origin, chain, trace } = owner;
  const key = [userId, flow.flow, flow.version];
  return database.transaction(async (run) => {
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
