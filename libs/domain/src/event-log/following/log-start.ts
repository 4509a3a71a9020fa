import type { EntityManager } from 'typeorm';
import { BEGINNING, beforePlace, type LogPosition } from './log-position.js';
import { HORIZON_SQL } from './place-origin.js';
import { refuseDistributed } from './refuse-distributed.js';

/** Where in the log somebody begins to follow it: at what is committed from now on, at the first event, or at a time. */
export type LogStart = 'now' | 'beginning' | Date;

/** A position to begin behind, and a time before which nothing is told. */
export interface FoundStart {
  readonly position: LogPosition;
  readonly since: Date | null;
}

/**
 * Looks through the whole log where a time is asked for, as no index has it. Now is a time too: while a transaction stays
 * open anywhere on the server, earlier events are still behind the horizon, and would be told if only the place counted.
 */
export async function findStart(manager: EntityManager, start: LogStart): Promise<FoundStart> {
  await refuseDistributed(manager);
  if (start === 'beginning') return { position: BEGINNING, since: null };
  const first = `coalesce((SELECT min(place) FROM flow_events WHERE at >= $1), ${HORIZON_SQL})`;
  const [from, values] = start === 'now' ? [HORIZON_SQL, []] : [first, [start]];
  const [row] = (await manager.query(`SELECT (${from})::text AS place, clock_timestamp() AS now`, values)) as [
    { place: string; now: Date },
  ];
  return { position: beforePlace(row.place), since: start === 'now' ? row.now : start };
}
