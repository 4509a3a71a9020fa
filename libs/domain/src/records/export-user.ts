import type { DataSource } from 'typeorm';
import { unknownUser } from '../users/identifier.js';
import { userId } from '../users/subject-id.js';

/** Columns of a table as an ordered JSON list. */
const list = (members: string, from: string, order: string): string =>
  `coalesce((SELECT json_agg(json_build_object(${members}) ORDER BY ${order}) FROM ${from} WHERE user_id = $1), '[]')`;

/** Groups lie elsewhere than what is kept of a user (G1), so the memberships are read first. */
const EXPORT = `
  WITH m AS MATERIALIZED (SELECT user_id, group_id, created_at FROM memberships WHERE user_id = $1),
  member AS MATERIALIZED (SELECT m.user_id, g.identifier, m.created_at FROM m JOIN groups g USING (group_id))
  SELECT json_build_object(
    'identifier', u.identifier,
    'environment', e.name,
    'properties', u.properties,
    'createdAt', u.created_at,
    'updatedAt', u.updated_at,
    'groups', ${list("'identifier', identifier, 'since', created_at", 'member', 'identifier')},
    'states', ${list(
      `'flow', flow, 'version', version, 'revision', revision, 'state', state, 'recentKeys', recent_keys,
       'createdAt', created_at, 'updatedAt', updated_at`,
      'flow_states',
      'flow, version',
    )},
    'effects', ${list(
      `'id', id, 'flow', flow, 'version', version, 'revision', revision, 'effect', effect, 'group', group_identifier,
       'attempts', attempts, 'nextAttemptAt', next_attempt_at, 'failedAt', failed_at, 'lastError', last_error, 'createdAt', created_at`,
      'effects',
      'flow, version, revision, position',
    )},
    'delays', ${list(
      "'flow', flow, 'version', version, 'block', block, 'dueAt', due_at, 'group', group_identifier",
      'delays',
      'flow, version, block',
    )},
    'attention', ${list(
      `'group', "group", 'places', places, 'starts', starts, 'endedAt', ended_at`,
      'attention_states',
      '"group"',
    )},
    'tracked', ${list(
      "'name', name, 'count', count, 'firstAt', first_at, 'lastAt', last_at",
      'user_events',
      'name',
    )},
    'trackedIds', coalesce((SELECT to_json(recent_ids) FROM tracked_users WHERE user_id = $1), '[]'),
    'refusedEvents', ${list("'event', event, 'error', error, 'failedAt', failed_at", 'endpoint_failures', 'failed_at, event_id')}
  )::text AS document,
  (SELECT json_agg(json_build_object('flow', flow, 'version', version, 'revision', revision))
   FROM flow_states WHERE user_id = $1)::text AS revisions
  FROM users u JOIN environments e ON e.id = u.environment_id WHERE u.user_id = $1`;

/** Events of a page: each has a few hundred bytes, and one that resets keeps a whole state. */
const PAGE = 1_000;

/** Only up to the revisions that the rest was seen with ($2). */
const EVENTS = `
  SELECT e.flow, e.version, e.revision, json_build_object('flow', e.flow, 'version', e.version, 'revision', e.revision, 'at', e.at,
    'event', e.event, 'idempotencyKey', e.idempotency_key, 'group', e.group_identifier, 'origin', e.origin)::text AS document
  FROM flow_events e JOIN json_to_recordset($2) AS s (flow text, version int, revision int)
    ON s.flow = e.flow AND s.version = e.version AND e.revision <= s.revision
  WHERE e.user_id = $1 AND (e.flow, e.version, e.revision) > ($3, $4::int, $5::int)
  ORDER BY e.flow, e.version, e.revision LIMIT ${PAGE}`;

interface ExportedEvent {
  flow: string;
  version: number;
  revision: number;
  document: string;
}

/**
 * Everything that is kept of a user as the raw text of one JSON object, in pieces, seen at one
 * moment, with every number as it is stored. Throws `user.unknown` before the first piece.
 */
export async function* exportUser(
  dataSource: DataSource,
  environmentId: string,
  identifier: string,
): AsyncGenerator<string> {
  const id = userId(environmentId, identifier);
  const [row] = await dataSource.query<{ document: string; revisions: string | null }[]>(EXPORT, [
    id,
  ]);
  if (!row) throw unknownUser(identifier);
  yield `${row.document.slice(0, -1)}, "events" : [`;
  let last: ExportedEvent | undefined;
  for (;;) {
    const after = [last?.flow ?? '', last?.version ?? 0, last?.revision ?? 0];
    const values = [id, row.revisions ?? '[]', ...after];
    const page: ExportedEvent[] = await dataSource.query(EVENTS, values);
    if (page.length > 0) yield (last ? ', ' : '') + page.map(({ document }) => document).join(', ');
    if (page.length < PAGE) break;
    last = page.at(-1);
  }
  yield ']}';
}
