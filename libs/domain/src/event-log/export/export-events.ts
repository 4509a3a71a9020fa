import { setTimeout as pause } from 'node:timers/promises';
import type { EntityManager } from 'typeorm';
import type { Database } from '../../database/database.js';
import { findStart, type LogStart } from '../following/log-start.js';
import { BlockNames } from '../following/block-names.js';
import type { LogPosition } from '../following/log-position.js';
import type { PublicEvent } from '../following/public-event.js';
import { refuseDistributed } from '../following/refuse-distributed.js';
import { type LogFilter, positionOf, readLog } from '../following/read-log.js';
import { tellSteps } from '../following/tell.js';
import { formatCursor, loadEra, resolveCursor } from './log-cursor.js';

export interface ExportOptions {
  /** All flows when left out. */
  readonly flow?: string;
  /** Whether version 0 is exported too. */
  readonly drafts?: boolean;
  /** Where to begin, unless a cursor says so. */
  readonly from: LogStart;
  readonly cursor?: string;
  /** Events at most, rounded up to the end of a step, which is what cursors name. */
  readonly limit?: number;
  /** Goes on with what happens from now on, until the signal says to stop. */
  readonly follow?: boolean;
  readonly signal?: AbortSignal;
}

/** Some events, in the order of the log, and where to go on behind them. */
export interface ExportedBatch {
  readonly events: readonly PublicEvent[];
  readonly cursor: string;
}

const STEPS = 1_000;
const POLL_MS = 500;

/**
 * What happened in an environment, batch after batch (E11). Whoever keeps the cursor of the last batch that is stored
 * safely loses nothing and repeats at most the next one. Throws `request.invalid` for a cursor that the export cannot
 * continue from.
 */
export async function* exportEvents(
  database: Database,
  manager: EntityManager,
  environment: { readonly id: string; readonly name: string },
  options: ExportOptions,
): AsyncGenerator<ExportedBatch> {
  const { flow, drafts = false, limit = Infinity, follow = false, signal } = options;
  const start = await findBeginning(database, manager, options);
  const filter: LogFilter = {
    environmentId: environment.id,
    flows: flow === undefined ? [] : [flow],
    drafts,
    since: start.since,
  };
  const era = await loadEra(database);
  const names = new BlockNames(database);
  let { position } = start;
  for (let left = limit; left > 0 && !signal?.aborted;) {
    const { steps, end } = await readLog(database, position, filter, STEPS);
    if (!end && !follow) return;
    if (!end) await pause(POLL_MS, undefined, { signal }).catch(() => undefined);
    else {
      const told = await tellSteps(steps, environment.name, names);
      const enough = takeEvents(told, left, end);
      position = enough.end;
      left -= enough.events.length;
      yield { events: enough.events, cursor: formatCursor(era, position) };
    }
  }
}

async function findBeginning(database: Database, manager: EntityManager, { cursor, from }: ExportOptions) {
  await refuseDistributed(manager);
  if (cursor !== undefined) return { position: await resolveCursor(database, cursor), since: null };
  return findStart(manager, from);
}

/** So many events of whole steps, or all of them. */
function takeEvents(told: Awaited<ReturnType<typeof tellSteps>>, most: number, endOfPage: LogPosition) {
  const events: PublicEvent[] = [];
  for (const { step, events: ofStep } of told) {
    events.push(...ofStep);
    if (events.length >= most) return { events, end: positionOf(step) };
  }
  return { events, end: endOfPage };
}
