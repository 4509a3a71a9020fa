import type { Database } from '../../database/database.js';
import { LOAD_STATES_OF_USER } from './load-statements.js';
import { type Found, type StateQuery, type StateRow, toFound } from './found-state.js';

const NOTHING = { user: null, group: null, groups: null, events: null };

/** As `loadTogether`, of one user in one group or none, by a statement that costs less for it (P16). */
export async function loadList(
  database: Database,
  all: readonly StateQuery[],
): Promise<(Found | undefined)[]> {
  const { userId, groupId } = all[0]!;
  const events = all.flatMap(({ flow }) => flow.compiled?.events ?? []);
  const rows = await database.run<StateRow & { place: number }>(LOAD_STATES_OF_USER, [
    userId,
    groupId,
    groupId === null && all.some(({ flow }) => flow.compiled?.mentionsGroup),
    all.map(({ flow }) => flow.flow),
    all.map(({ flow }) => flow.version),
    all.map(({ flow }) => flow.edition),
    all.map(({ looks }) => looks),
    events.length > 0 ? events : null,
  ]);
  const now = rows.find(({ place }) => place === 0)?.now ?? 0;
  const first = rows.find((row) => row.user);
  const { user, group, groups, events: done } = first ?? NOTHING;
  const found = new Array<Found | undefined>(all.length);
  for (const row of rows)
    found[row.place] = toFound({ ...row, now, groups, events: done }, user, group);
  return found;
}
