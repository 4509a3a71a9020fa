import type { DataSource, EntityManager } from 'typeorm';
import { unknownUser } from './load-user.js';
import { userId } from './subject-id.js';

/** How many rows went with the user. */
export interface DeletedUser {
  identifier: string;
  memberships: number;
  states: number;
  events: number;
  effects: number;
}

/**
 * Deletes everything that is kept of a user, in one transaction: effects that wait are not carried out any more. Groups
 * are not the user's and stay. Throws `user.unknown`.
 */
export function deleteUser(dataSource: DataSource, environmentId: string, identifier: string): Promise<DeletedUser> {
  const id = userId(environmentId, identifier);
  return dataSource.transaction(async (manager) => {
    // The user first: commands write only for users who exist, so that nothing new can come behind the rest.
    if ((await deleteRows(manager, 'users', id)) === 0) throw unknownUser(identifier);
    return {
      identifier,
      memberships: await deleteRows(manager, 'memberships', id),
      states: await deleteRows(manager, 'flow_states', id),
      events: await deleteRows(manager, 'flow_events', id),
      effects: await deleteRows(manager, 'effects', id),
    };
  });
}

async function deleteRows(manager: EntityManager, table: string, id: string): Promise<number> {
  const [, count] = (await manager.query(`DELETE FROM ${table} WHERE user_id = $1`, [id])) as [unknown, number];
  return count;
}
