import type { DataSource, EntityManager } from 'typeorm';
import { type Author, recordChange } from '../database/audit/index.js';
import { forgetInRuns } from '../states/reset/forget-runs.js';
import type { StateChanges } from '../states/state/state-changes.js';
import { unknownUser } from '../users/identifier.js';
import { userId } from '../users/subject-id.js';

/** How many rows went with the user. */
interface DeletedUser {
  identifier: string;
  memberships: number;
  states: number;
  events: number;
  effects: number;
}

/**
 * Deletes everything that is kept of a user, in one transaction: effects that wait are not carried
 * out and delays do not go on any more, and conditions of resets that name the user are forgotten.
 * Groups are not the user's and stay. The states that are gone are announced, as revision 0 (L5).
 * Throws `user.unknown`.
 */
export async function deleteUser(
  dataSource: DataSource,
  environmentId: string,
  identifier: string,
  changes: StateChanges,
  author: Author,
): Promise<DeletedUser> {
  const id = userId(environmentId, identifier);
  const act = { action: 'user.delete', userId: id, environmentId };
  const { states, ...deleted } = await recordChange(dataSource, act, author, async (manager) => {
    // The user first: commands write only for users who exist, so that nothing new can come behind
    // the rest.
    if ((await deleteRows(manager, 'users', id)) === 0) throw unknownUser(identifier);
    await deleteRows(manager, 'attention_states', id);
    await deleteRows(manager, 'user_events', id);
    await deleteRows(manager, 'tracked_users', id);
    await deleteRows(manager, 'endpoint_failures', id);
    await forgetInRuns(manager, environmentId, identifier);
    const states = await deleteStates(manager, id);
    // Behind the states, with which they are written.
    await deleteRows(manager, 'delays', id);
    return {
      identifier,
      memberships: await deleteRows(manager, 'memberships', id),
      states,
      events: await deleteRows(manager, 'flow_events', id),
      effects: await deleteRows(manager, 'effects', id),
    };
  });
  for (const { flow, version } of states)
    changes.announce({ userId: id, flow, version, revision: 0 });
  await changes.flush?.();
  return { ...deleted, states: states.length };
}

async function deleteStates(
  manager: EntityManager,
  id: string,
): Promise<{ flow: string; version: number }[]> {
  const result: unknown = await manager.query(
    'DELETE FROM flow_states WHERE user_id = $1 RETURNING flow, version',
    [id],
  );
  const [rows] = result as [{ flow: string; version: number }[], number];
  return rows;
}

async function deleteRows(manager: EntityManager, table: string, id: string): Promise<number> {
  const [, count] = (await manager.query(`DELETE FROM ${table} WHERE user_id = $1`, [id])) as [
    unknown,
    number,
  ];
  return count;
}
