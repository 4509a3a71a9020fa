import type { EntityManager } from 'typeorm';
import { lookWhetherDistributed } from '../../database/is-distributed.js';
import { type LogPosition, positionValues } from '../../events/reader/log-position.js';
import type { PublicEvent } from '../../events/reader/public-event.js';
import type { LogFilter } from '../../events/reader/read-log.js';
import { getEndpoint } from './change-endpoint.js';
import { type EndpointFormat, EndpointFailure } from './endpoint.js';

/**
 * `delivering`, `down` while the receiver does not answer well, `paused`, or `ended` where tables
 * are distributed.
 */
type EndpointState = 'delivering' | 'down' | 'paused' | 'ended';

export interface ListedEndpoint {
  readonly name: string;
  readonly url: string;
  readonly format: EndpointFormat;
  readonly state: EndpointState;
  /** Why it is paused or has ended, where no operator did it. */
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

/**
 * Counts what is behind the position $1 to $5 of an endpoint, and says when the first of it
 * happened.
 */
const BACKLOG = `
  SELECT count(*)::int AS backlog, floor(extract(epoch FROM now() - min(w.at)))::float8 AS "oldestSeconds" FROM (
    SELECT l.at FROM (
      SELECT e.user_id, e.flow, e.version, e.at FROM flow_events e
      WHERE (e.place, e.user_id, e.flow, e.version, e.revision) > ($1::bigint, $2::uuid, $3::text, $4::int, $5::int)
      ORDER BY e.place, e.user_id, e.flow, e.version, e.revision LIMIT ${MOST_LOOKED_AT}
    ) l JOIN users u ON u.user_id = l.user_id
    WHERE u.environment_id = $6 AND (cardinality($7::text[]) = 0 OR l.flow = ANY ($7::text[]))
      AND ($8::boolean OR l.version > 0) AND ($9::timestamptz IS NULL OR l.at >= $9::timestamptz)
    LIMIT ${MOST_BACKLOG}
  ) w`;

const LIST = `
  SELECT n.name, n.url, n.format, n.pause_reason AS "pauseReason", p.last_success_at AS "lastSuccess", p.last_error AS "lastError",
    CASE WHEN n.paused_at IS NOT NULL THEN 'paused' WHEN p.downs > 0 THEN 'down' ELSE 'delivering' END AS state,
    (SELECT count(*)::int FROM endpoint_failures f WHERE f.endpoint_id = n.id) AS failures,
    n.environment_id AS "environmentId", n.flows, n.drafts, n.since, p.place::text AS place, p.user_id AS "userId", p.flow, p.version,
    p.revision
  FROM endpoints n JOIN endpoint_progress p ON p.endpoint_id = n.id WHERE n.environment_id = $1 ORDER BY n.name`;

type Backlog = Pick<ListedEndpoint, 'backlog' | 'oldestSeconds'>;
type ListRow = Omit<ListedEndpoint, keyof Backlog> & LogPosition & LogFilter;

/** Where tables are distributed there is no order to follow (G4). */
const ENDED = {
  state: 'ended',
  pauseReason: 'tables are distributed, so that events have no common order',
  backlog: 0,
  oldestSeconds: null,
} as const;

/** The endpoints of an environment by name, with how far each has come (E6). */
export async function listEndpoints(
  manager: EntityManager,
  environmentId: string,
): Promise<ListedEndpoint[]> {
  const rows = (await manager.query(LIST, [environmentId])) as ListRow[];
  const isEnded =
    rows.length > 0 &&
    (await lookWhetherDistributed(({ text }) => manager.query<{ yes: boolean }[]>(text)));
  const listed: ListedEndpoint[] = [];
  for (const row of rows)
    listed.push({ ...view(row), ...(isEnded ? ENDED : await loadBacklog(manager, row)) });
  return listed;
}

const view = ({
  name,
  url,
  format,
  state,
  pauseReason,
  lastSuccess,
  lastError,
  failures,
}: ListRow) => ({
  ...{ name, url, format, state, pauseReason, lastSuccess, lastError, failures },
});

async function loadBacklog(manager: EntityManager, row: ListRow): Promise<Backlog> {
  const { environmentId, flows, drafts, since } = row;
  const values = [...positionValues(row), environmentId, flows, drafts, since];
  const [found] = (await manager.query(BACKLOG, values)) as [Backlog];
  return found;
}

interface ListedFailure {
  readonly event: PublicEvent;
  readonly error: string;
  readonly failedAt: Date;
}

/**
 * The events that an endpoint refused for good, newest first, at most `limit` (E8). Throws
 * `endpoint.unknown`.
 */
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
