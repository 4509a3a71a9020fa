import type { DataSource } from 'typeorm';
import { Database } from '../database/database.js';
import { defineStatement } from '../database/statement.js';
import { ORIGIN_SQL } from '../event-log/following/place-origin.js';
import { withBriefLock, withRunner } from './locks/brief-lock.js';

/** The highest place that anybody knows: of an event, or that an endpoint waits at. */
const HIGHEST = `greatest(
  (SELECT max(place) FROM flow_events), (SELECT max(place) FROM endpoint_progress), 0)`;
/** The place that the next transaction would get. */
const NEXT = `(pg_snapshot_xmax(pg_current_snapshot())::text::bigint + ${ORIGIN_SQL})`;

const ARE_AHEAD = defineStatement(
  'are_event_places_ahead',
  `SELECT coalesce((SELECT max(place) FROM flow_events) >= ${NEXT}, false)
     OR coalesce((SELECT max(place) FROM endpoint_progress) > ${NEXT}, false) AS ahead`,
);

/**
 * Whether events have places that transactions of now have not reached: the database was restored into a cluster that counts
 * them anew, and what is written would be told before what is there already, or never (E2).
 */
export async function areEventPlacesAhead(database: Database): Promise<boolean> {
  if (await database.isDistributed()) return false;
  const [row] = await database.run<{ ahead: boolean }>(ARE_AHEAD, []);
  return row?.ahead === true;
}

/** Moves the places of what is written from now on behind all that there are, where they are not (E2). */
export async function raiseEventPlaces(dataSource: DataSource): Promise<void> {
  if (await new Database(dataSource, false).isDistributed()) return;
  const [row] = (await dataSource.query(`SELECT (${ARE_AHEAD.text}) AS ahead, ${HIGHEST}::text AS highest`)) as {
    ahead: boolean;
    highest: string;
  }[];
  if (!row?.ahead) return;
  const raise = `ALTER TABLE flow_events ALTER COLUMN place SET DEFAULT ((pg_current_xact_id())::text)::bigint + ${BigInt(row.highest)}`;
  await withRunner(dataSource, (runner) => withBriefLock(runner, raise));
}
