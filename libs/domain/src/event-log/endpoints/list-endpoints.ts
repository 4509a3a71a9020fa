import type { EntityManager } from 'typeorm';
import type { PublicEvent } from '../following/public-event.js';
import { getEndpoint } from './change-endpoint.js';
import type { EndpointFormat } from './endpoint.js';
import { EndpointFailure } from './endpoint-failure.js';

/** `delivering`, `down` while the receiver does not answer well, or `paused`. */
export type EndpointState = 'delivering' | 'down' | 'paused';

export interface ListedEndpoint {
  readonly name: string;
  readonly url: string;
  readonly format: EndpointFormat;
  readonly state: EndpointState;
  /** Why it is paused, where nobody asked for it. */
  readonly pauseReason: string | null;
  /** Steps that are committed and not yet settled; `MOST_BACKLOG` is that many or more. */
  readonly backlog: number;
  /** Age of the oldest of them; null where there is none. */
  readonly oldestSeconds: number | null;
  readonly lastSuccess: Date | null;
  readonly lastError: string | null;
  /** Events that were set aside. */
  readonly failures: number;
}

/** What is counted of a backlog at most, and how much of the log is looked at for it. */
export const MOST_BACKLOG = 10_000;
const MOST_LOOKED_AT = 200_000;

/** Counts what is behind the position, and tells when the first of it happened. */
const BACKLOG = `
  SELECT count(*)::int AS backlog, min(w.at) AS oldest FROM (
    SELECT l.at FROM (
      SELECT e.user_id, e.flow, e.version, e.at FROM flow_events e
      WHERE (e.place, e.user_id, e.flow, e.version, e.revision) > (p.place, p.user_id, p.flow, p.version, p.revision)
      ORDER BY e.place, e.user_id, e.flow, e.version, e.revision LIMIT ${MOST_LOOKED_AT}
    ) l JOIN users u ON u.user_id = l.user_id
    WHERE u.environment_id = n.environment_id AND (cardinality(n.flows) = 0 OR l.flow = ANY (n.flows))
      AND (n.drafts OR l.version > 0) AND (n.since IS NULL OR l.at >= n.since)
    LIMIT ${MOST_BACKLOG}
  ) w`;

const LIST = `
  SELECT n.name, n.url, n.format, n.pause_reason AS "pauseReason", b.backlog,
    floor(extract(epoch FROM now() - b.oldest))::float8 AS "oldestSeconds",
    p.last_success_at AS "lastSuccess", p.last_error AS "lastError",
    CASE WHEN n.paused_at IS NOT NULL THEN 'paused' WHEN p.downs > 0 THEN 'down' ELSE 'delivering' END AS state,
    (SELECT count(*)::int FROM endpoint_failures f WHERE f.endpoint_id = n.id) AS failures
  FROM endpoints n JOIN endpoint_progress p ON p.endpoint_id = n.id CROSS JOIN LATERAL (${BACKLOG}) b
  WHERE n.environment_id = $1 ORDER BY n.name`;

/** The endpoints of an environment by name, with how far each has come (E6). */
export const listEndpoints = async (manager: EntityManager, environmentId: string): Promise<ListedEndpoint[]> =>
  (await manager.query(LIST, [environmentId])) as ListedEndpoint[];

export interface ListedFailure {
  readonly event: PublicEvent;
  readonly error: string;
  readonly failedAt: Date;
}

/** The events that an endpoint refused for good, newest first, at most `limit` (E8). Throws `endpoint.unknown`. */
export async function listFailures(
  manager: EntityManager,
  environmentId: string,
  name: string,
  { limit = 1_000 }: { limit?: number } = {},
): Promise<ListedFailure[]> {
  const { id: endpointId } = await getEndpoint(manager, environmentId, name);
  const failures = await manager.find(EndpointFailure, {
    where: { endpointId },
    order: { failedAt: 'DESC', eventId: 'ASC' },
    take: limit,
  });
  return failures.map(({ event, error, failedAt }) => ({ event, error, failedAt }));
}
