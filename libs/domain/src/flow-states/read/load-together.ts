import type { Database } from '../../database/database.js';
import type { Context } from '../../engine/index.js';
import { LOAD_STATES } from './load-statements.js';
import { type Found, type StateQuery, type StateRow, toFound } from './found-state.js';

/** All of them with one statement, in their order; undefined for users who were never identified. */
export async function loadTogether(database: Database, all: readonly StateQuery[]): Promise<(Found | undefined)[]> {
  const found = new Array<Found | undefined>(all.length);
  const rows = await database.run<StateRow & { place: number }>(LOAD_STATES, [`[${all.map(toRow).join(',')}]`]);
  const users = new Map<string, Context['user']>();
  const groups = new Map<string | null, Context['group']>();
  for (const { place, user, group } of rows) {
    if (user) users.set(all[place]!.userId, user);
    if (group) groups.set(all[place]!.groupId, group);
  }
  for (const row of rows) {
    const { userId, groupId } = all[row.place]!;
    found[row.place] = toFound(row, users.get(userId), groups.get(groupId));
  }
  return found;
}

/** Written by hand: ids and identifiers of flows need no escaping. */
function toRow({ userId, groupId, flow: { flow, version, edition, compiled }, looks }: StateQuery, place: number): string {
  const all = compiled?.mentionsGroup ? ',"in_groups":true' : '';
  const group = groupId === null ? all : `,"group_id":"${groupId}"`;
  return `{"place":${place},"user_id":"${userId}","flow":"${flow}","version":${version},"edition":${edition},"looks":"${looks}"${group}}`;
}
