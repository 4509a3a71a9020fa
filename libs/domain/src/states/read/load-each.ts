import type { Database } from '../../database/database.js';
import { defineStatement } from '../../database/statement.js';
import type { Subject } from '../../targeting/index.js';
import { subjectJson } from '../../users/subject-json.js';
import { EVENTS_OF_USERS, type EventsRow } from '../../users/load-events.js';
import { LOAD_STATE } from './load-statements.js';
import { type Found, type StateQuery, type StateRow, toFound } from './found-state.js';

const LOAD_MEMBERSHIPS = defineStatement(
  'load_memberships',
  'SELECT user_id AS "userId", group_id AS "groupId" FROM memberships WHERE user_id = ANY ($1::uuid[])',
);
const LOAD_GROUPS = defineStatement(
  'load_groups',
  `SELECT g.group_id AS "groupId", ${subjectJson('g')} AS "group" FROM groups g
   WHERE g.group_id = ANY ($1::uuid[]) ORDER BY g.identifier COLLATE "C"`,
);

/**
 * The same as `loadTogether`, for tables that are distributed (G1): each state from the server that
 * has its user, and separately the groups that expressions may look at, which lie on other servers.
 */
export async function loadEach(
  database: Database,
  all: readonly StateQuery[],
): Promise<(Found | undefined)[]> {
  const rows = await Promise.all(all.map((asked) => loadRow(database, asked)));
  const looking = all.filter((_asked, place) => rows[place]?.looks);
  const members = await loadMembers(database, looking.filter(asksAllGroups));
  const named = looking.flatMap(({ groupId }) => groupId ?? []);
  const groups = await loadGroups(database, [...named, ...[...members.values()].flat()]);
  const events = await loadEventsOf(database, looking);
  return all.map((asked, place) => {
    const row = rows[place];
    if (!row) return undefined;
    if (row.looks && asksAllGroups(asked)) row.groups = inOrder(groups, members.get(asked.userId));
    if (asked.flow.compiled?.events.length) row.events = events.get(asked.userId);
    const group = asked.groupId === null ? null : groups.get(asked.groupId);
    return toFound(row, row.now, { ...row, group });
  });
}

async function loadRow(
  database: Database,
  { userId, flow, looks }: StateQuery,
): Promise<StateRow | undefined> {
  const [row] = await database.run<StateRow>(LOAD_STATE, [
    userId,
    flow.flow,
    flow.version,
    flow.edition,
    looks,
  ]);
  return row;
}

const LOAD_EVENTS = defineStatement('load_user_events', EVENTS_OF_USERS);

/** What users did, of those whose flows mention any of it (Z2). */
async function loadEventsOf(
  database: Database,
  looking: readonly StateQuery[],
): Promise<ReadonlyMap<string, EventsRow['events']>> {
  const asking = looking.filter(({ flow }) => flow.compiled?.events.length);
  if (asking.length === 0) return new Map();
  const rows = await database.run<EventsRow>(LOAD_EVENTS, [
    [...new Set(asking.map(({ userId }) => userId))],
    [...new Set(asking.flatMap(({ flow }) => flow.compiled!.events))],
  ]);
  return new Map(rows.map(({ userId, events }) => [userId, events]));
}

/** Where none is named (S33). */
const asksAllGroups = ({ groupId, flow }: StateQuery): boolean =>
  groupId === null && flow.compiled?.mentionsGroup === true;

async function loadMembers(
  database: Database,
  asked: readonly StateQuery[],
): Promise<ReadonlyMap<string, string[]>> {
  const members = new Map<string, string[]>();
  if (asked.length === 0) return members;
  const users = [...new Set(asked.map(({ userId }) => userId))];
  const rows = await database.run<{ userId: string; groupId: string }>(LOAD_MEMBERSHIPS, [users]);
  for (const { userId, groupId } of rows)
    members.set(userId, [...(members.get(userId) ?? []), groupId]);
  return members;
}

/** By id, in the order of their identifiers. */
async function loadGroups(
  database: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Subject>> {
  if (ids.length === 0) return new Map();
  const rows = await database.run<{ groupId: string; group: Subject }>(LOAD_GROUPS, [
    [...new Set(ids)],
  ]);
  return new Map(rows.map(({ groupId, group }) => [groupId, group]));
}

/** Null for none, as one statement says it. */
function inOrder(
  groups: ReadonlyMap<string, Subject>,
  members: readonly string[] = [],
): Subject[] | null {
  const wanted = new Set(members);
  const found = [...groups].filter(([id]) => wanted.has(id)).map(([, group]) => group);
  return found.length > 0 ? found : null;
}
