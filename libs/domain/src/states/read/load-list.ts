import type { Database } from '../../database/database.js';
import { LOAD_STATES_OF_USER, contextScope } from './load-statements.js';
import { type Found, type StateQuery, type StateRow, toFound } from './found-state.js';

/**
 * As `loadTogether`, of one user in one group or none, by a statement that costs less for it (P16).
 */
export async function loadList(
  database: Database,
  all: readonly StateQuery[],
): Promise<(Found | undefined)[]> {
  const { userId } = all[0]!;
  const scope = contextScope(all);
  const rows = await database.run<StateRow & { place: number }>(LOAD_STATES_OF_USER[scope], [
    userId,
    toArray(all.map(({ flow }) => flow.flow)),
    toArray(all.map(({ flow }) => flow.version)),
    ...(scope === 'nothing' ? [] : looksOf(all)),
    ...(scope === 'everything' ? groupsAndEvents(all) : []),
  ]);
  const now = rows.find(({ place }) => place === 0)?.now ?? 0;
  const first = rows.find((row) => row.user);
  const found = new Array<Found | undefined>(all.length);
  for (const row of rows) found[row.place] = toFound(row, now, first);
  return found;
}

const looksOf = (all: readonly StateQuery[]): string[] => [
  toArray(all.map(({ flow }) => flow.edition)),
  toArray(all.map(({ looks }) => looks)),
];

/**
 * An array in SQL, of numbers, words and identifiers of flows, which need no escaping: pg would look
 * at each character (P16).
 */
const toArray = (values: readonly (string | number)[]): string => `{"${values.join('","')}"}`;

function groupsAndEvents(all: readonly StateQuery[]): unknown[] {
  const { groupId } = all[0]!;
  const events = all.flatMap(({ flow }) => flow.compiled?.events ?? []);
  return [
    groupId,
    groupId === null && all.some(({ flow }) => flow.compiled?.mentionsGroup),
    events.length > 0 ? events : null,
  ];
}
