import type { EntityManager } from 'typeorm';
import { BEGINNING, beforePlace, type LogPosition, HORIZON_SQL } from './log-position.js';
import { lookWhetherDistributed } from '../../database/is-distributed.js';
import { invalidRequest } from '../../database/errors/index.js';

/**
 * Where in the log a reader begins: at what is committed from now on, at the first event, or at a
 * time.
 */
export type LogStart = 'now' | 'beginning' | Date;

/** A position to begin behind, and a time before which no event is read. */
interface FoundStart {
  readonly position: LogPosition;
  readonly since: Date | null;
}

/**
 * Looks through the whole log where a time is requested, as no index has it. Now is a time too:
 * while a transaction stays open anywhere on the server, earlier events are still behind the
 * horizon, and would be read if only the place counted.
 */
export async function findStart(manager: EntityManager, start: LogStart): Promise<FoundStart> {
  await refuseDistributed(manager);
  if (start === 'beginning') return { position: BEGINNING, since: null };
  const first = `coalesce((SELECT min(place) FROM flow_events WHERE at >= $1), ${HORIZON_SQL})`;
  const [from, values] = start === 'now' ? [HORIZON_SQL, []] : [first, [start]];
  const [row] = (await manager.query(
    `SELECT (${from})::text AS place, clock_timestamp() AS now`,
    values,
  )) as [{ place: string; now: Date }];
  return { position: beforePlace(row.place), since: start === 'now' ? row.now : start };
}

/**
 * Throws `request.invalid` where Citus spreads the tables over servers: each counts its own
 * transactions, so that the events have no common order to follow (G4).
 */
export async function refuseDistributed(manager: EntityManager): Promise<void> {
  if (await lookWhetherDistributed(({ text }) => manager.query<{ yes: boolean }[]>(text)))
    throw invalidRequest(
      'events cannot be followed where tables are distributed: the servers have no common order of transactions; flow_events can be read as a table',
    );
}

/** Younger transactions do not delay endpoints for long. */
export const WORTH_A_NOTE_SECONDS = 5;

/**
 * A transaction that has written, or may yet, and is still open: what comes after it waits to be
 * read (E3).
 */
export interface OldestWriter {
  /** What it is called: `process 4711 (waymark) in database app`, or a prepared transaction. */
  readonly what: string;
  readonly seconds: number;
}

const OLDEST = `
  SELECT what, floor(extract(epoch FROM clock_timestamp() - since))::float8 AS seconds FROM (
    SELECT format('process %s (%s) in database %s', pid, coalesce(nullif(application_name, ''), 'no name'), datname) AS what,
      xact_start AS since, backend_xid AS transaction
    FROM pg_stat_activity WHERE backend_xid IS NOT NULL AND pid <> pg_backend_pid()
    UNION ALL
    SELECT format('prepared transaction %s in database %s', gid, database), prepared, transaction FROM pg_prepared_xacts
  ) open WHERE since IS NOT NULL ORDER BY age(transaction) DESC LIMIT 1`;

/**
 * The writing transaction of any database of the server that holds readers back most; null where
 * there is none (E3).
 */
export async function findOldestWriter(manager: EntityManager): Promise<OldestWriter | null> {
  const [row] = (await manager.query(OLDEST)) as OldestWriter[];
  return row ?? null;
}
