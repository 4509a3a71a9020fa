import type { EntityManager } from 'typeorm';
import { BEGINNING, beforePlace, type LogPosition } from './log-position.js';
import { HORIZON_SQL } from './place-origin.js';

/** Where in the log somebody begins to follow it: at what is committed from now on, at the first event, or at a time. */
export type LogStart = 'now' | 'beginning' | Date;

/** A position to begin behind, and a time before which nothing is told. */
export interface FoundStart {
  readonly position: LogPosition;
  readonly since: Date | null;
}

/** Looks through the whole log where a time is asked for, as no index has it. */
export async function findStart(manager: EntityManager, start: LogStart): Promise<FoundStart> {
  if (start === 'beginning') return { position: BEGINNING, since: null };
  if (start === 'now') return { position: beforePlace(await askPlace(manager, HORIZON_SQL, [])), since: null };
  const first = `coalesce((SELECT min(place) FROM flow_events WHERE at >= $1), ${HORIZON_SQL})`;
  return { position: beforePlace(await askPlace(manager, first, [start])), since: start };
}

async function askPlace(manager: EntityManager, place: string, values: unknown[]): Promise<string> {
  const [row] = (await manager.query(`SELECT (${place})::text AS place`, values)) as { place: string }[];
  return row!.place;
}
