import type { Database } from '../../database/database.js';
import { defineStatement } from '../../database/statement.js';
import type { FlowEvent } from '../../engine/index.js';
import type { EventOrigin } from '../../states/state/flow-event-row.js';
import { type LogPosition, positionValues, HORIZON_SQL } from './log-position.js';

/** One recorded step of an environment, as the log has it. */
export interface LogStep extends LogPosition {
  readonly at: Date;
  readonly event: FlowEvent;
  readonly group: string | null;
  readonly origin: EventOrigin | null;
  readonly user: string;
}

/** Which steps of the log are read. */
export interface LogFilter {
  readonly environmentId: string;
  /** All of them where there are none. */
  readonly flows: readonly string[];
  /** Whether version 0, which is being edited, is read too. */
  readonly drafts: boolean;
  /** Nothing that happened before. */
  readonly since: Date | null;
}

/** A stretch of the log: which part of it was requested, and where it ends. */
export interface LogPage {
  readonly steps: readonly LogStep[];
  /** Null where nothing behind the position may be read yet. */
  readonly end: LogPosition | null;
  /** Whether it is as long as was asked, so that there may be more. */
  readonly isFull: boolean;
}

const POSITION = 'e.place, e.user_id, e.flow, e.version, e.revision';

/** Whether an event `e` of a user `u` is one that the filter in $6 to $9 lets through. */
const WANTED = `u.environment_id = $6::uuid AND (cardinality($7::text[]) = 0 OR e.flow = ANY ($7::text[]))
  AND ($8::boolean OR e.version > 0) AND ($9::timestamptz IS NULL OR e.at >= $9::timestamptz)`;

/** Events of others come without what happened, so that the end of the page is known. */
const READ = defineStatement(
  'read_event_log',
  `SELECT e.place::text AS place, e.user_id AS "userId", e.flow, e.version, e.revision, wanted.*
   FROM (
     SELECT e.* FROM flow_events e
     WHERE (${POSITION}) > ($1::bigint, $2::uuid, $3::text, $4::int, $5::int) AND e.place < ${HORIZON_SQL}
     ORDER BY ${POSITION} LIMIT $10
   ) e LEFT JOIN LATERAL (
     SELECT e.at, e.event, e.group_identifier AS "group", e.origin, u.identifier AS "user"
     FROM users u WHERE u.user_id = e.user_id AND ${WANTED}
   ) wanted ON true
   ORDER BY ${POSITION}`,
);

type Row = LogPosition & (LogStep | { readonly event: null });

/**
 * The next steps behind a position which no step from before them can join any more, in the order
 * of the log (E1). Looks at `size` events at most, those of others included.
 */
export async function readLog(
  database: Database,
  after: LogPosition,
  filter: LogFilter,
  size: number,
): Promise<LogPage> {
  const { environmentId, flows, drafts, since } = filter;
  const rows = await database.run<Row>(READ, [
    ...positionValues(after),
    environmentId,
    flows,
    drafts,
    since,
    size,
  ]);
  const last = rows.at(-1);
  return {
    steps: rows.filter((row): row is LogStep => row.event !== null),
    end: last ? positionOf(last) : null,
    isFull: rows.length === size,
  };
}

export const positionOf = ({
  place,
  userId,
  flow,
  version,
  revision,
}: LogPosition): LogPosition => ({
  place,
  userId,
  flow,
  version,
  revision,
});
