import { type Database, defineStatement } from '@waymark/domain/database';
import type { FlowState } from '@waymark/domain/engine';
import type { StateRead } from '../push/watched-state.js';

/** What a state is now. */
export interface ChangedState {
  /** Null where there is no such state (any more). */
  readonly revision: number | null;
  readonly edition: number | null;
  /**
   * Null unless requested: the revision is the one shown already, and no block is to be sent again.
   */
  readonly state: FlowState | null;
  /** Blocks that the events since the revision shown have named. */
  readonly touched: string[] | null;
}

const NO_REVISION = -1;

const loading = (name: string, ofEvents: string, servers: 'one' | 'any') =>
  defineStatement(
    name,
    `SELECT w.place::int - 1 AS place, s.revision, s.edition,
          CASE WHEN s.revision <> w.shown OR w.resend THEN s.state END AS state, t.touched
   FROM unnest($1::uuid[], $2::text[], $3::int[], $4::int[], $5::boolean[]) WITH ORDINALITY
     AS w (user_id, flow, version, shown, resend, place)
   JOIN flow_states s ON s.user_id = w.user_id AND s.flow = w.flow AND s.version = w.version
   LEFT JOIN LATERAL (
     SELECT array_agg(DISTINCT c.change->>'block') FILTER (WHERE c.change ? 'block') AS touched
       FROM flow_events e CROSS JOIN LATERAL jsonb_array_elements(e.event->'changes') AS c (change)
      WHERE e.user_id = s.user_id ${ofEvents} AND e.flow = s.flow AND e.version = s.version
        AND e.revision > w.shown AND e.revision <= s.revision
   ) t ON true
   WHERE s.user_id = ANY ($1)`,
    servers,
  );

const LOAD_CHANGES = loading('load_watched_changes', '', 'one');
/**
 * The keys are stated for both tables, so that Citus reads the shards of these users only (G1); one
 * server is slower by it.
 */
const LOAD_CHANGES_OF_SHARDS = loading(
  'load_watched_changes_of_shards',
  'AND e.user_id = ANY ($1)',
  'any',
);

const NO_STATE: ChangedState = { revision: null, edition: null, state: null, touched: null };

/** One row for each, in their order; one statement for all of them. */
export async function loadChanges(
  database: Database,
  reads: readonly StateRead[],
): Promise<ChangedState[]> {
  const statement = (await database.isDistributed()) ? LOAD_CHANGES_OF_SHARDS : LOAD_CHANGES;
  const found = await database.run<ChangedState & { readonly place: number }>(statement, [
    reads.map(({ state }) => state.userId),
    reads.map(({ state }) => state.watched.flow),
    reads.map(({ state }) => state.watched.version),
    reads.map(({ revision, isRecreated }) => (isRecreated ? NO_REVISION : (revision ?? 0))),
    reads.map(({ resend }) => resend.size > 0),
  ]);
  const rows = reads.map(() => NO_STATE);
  for (const row of found) rows[row.place] = row;
  return rows;
}
