import { type Database, defineStatement } from '@waymark/domain/database';
import type { FlowState } from '@waymark/domain/engine';
import type { Look } from './watched-state.js';

/** What a state is now. */
export interface StateRow {
  /** Null where there is no such state (any more). */
  readonly revision: number | null;
  readonly edition: number | null;
  /** Null where nobody asked: the revision is the one shown already, and no block is to be sent again. */
  readonly state: FlowState | null;
  /** Blocks that the events since the revision shown have named. */
  readonly touched: string[] | null;
}

const NO_REVISION = -1;

const LOAD_CHANGES = defineStatement(
  'load_watched_changes',
  `SELECT s.revision, s.edition, CASE WHEN s.revision <> w.shown OR w.resend THEN s.state END AS state,
          (SELECT array_agg(DISTINCT c.change->>'block') FILTER (WHERE c.change ? 'block')
             FROM flow_events e CROSS JOIN LATERAL jsonb_array_elements(e.event->'changes') AS c (change)
            WHERE e.user_id = w.user_id AND e.flow = w.flow AND e.version = w.version
              AND e.revision > w.shown AND e.revision <= s.revision) AS touched
   FROM unnest($1::uuid[], $2::text[], $3::int[], $4::int[], $5::boolean[]) WITH ORDINALITY
     AS w (user_id, flow, version, shown, resend, place)
   LEFT JOIN flow_states s ON s.user_id = w.user_id AND s.flow = w.flow AND s.version = w.version
   ORDER BY w.place`,
);

/** One row for each, in their order; one statement for all of them. */
export function loadChanges(database: Database, looks: readonly Look[]): Promise<StateRow[]> {
  return database.run<StateRow>(LOAD_CHANGES, [
    looks.map(({ state }) => state.userId),
    looks.map(({ state }) => state.watched.flow),
    looks.map(({ state }) => state.watched.version),
    looks.map(({ revision, isRemade }) => (isRemade ? NO_REVISION : (revision ?? 0))),
    looks.map(({ resend }) => resend.size > 0),
  ]);
}
