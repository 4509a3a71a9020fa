import type { DataSource } from 'typeorm';
import { unknownUser } from '../users/unknown-user.js';
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
    'events', ${list(
      `'flow', flow, 'version', version, 'revision', revision, 'at', at, 'event', event, 'idempotencyKey', idempotency_key,
       'group', group_identifier, 'origin', origin`,
      'flow_events',
      'flow, version, revision',
    )},
    'effects', ${list(
      `'id', id, 'flow', flow, 'version', version, 'revision', revision, 'effect', effect, 'group', group_identifier,
       'attempts', attempts, 'nextAttemptAt', next_attempt_at, 'failedAt', failed_at, 'lastError', last_error, 'createdAt', created_at`,
      'effects',
      'flow, version, revision, position',
    )},
    'refusedEvents', ${list("'event', event, 'error', error, 'failedAt', failed_at", 'endpoint_failures', 'failed_at, event_id')}
  )::text AS document
  FROM users u JOIN environments e ON e.id = u.environment_id WHERE u.user_id = $1`;

/**
 * Everything that is kept of a user as the raw text of one JSON object, seen at one moment, with every number as it is
 * stored. Throws `user.unknown`.
 */
export async function exportUser(dataSource: DataSource, environmentId: string, identifier: string): Promise<string> {
  const [row] = (await dataSource.query(EXPORT, [userId(environmentId, identifier)])) as { document: string }[];
  if (!row) throw unknownUser(identifier);
  return row.document;
}
