import { setTimeout as pause } from 'node:timers/promises';
import type { EntityManager } from 'typeorm';
import type { Database } from '../../database/database.js';
import { findStart, type LogStart, refuseDistributed } from '../reader/log-start.js';
import { BlockNames } from '../reader/block-names.js';
import type { LogPosition } from '../reader/log-position.js';
import type { PublicEvent } from '../reader/public-event.js';
import { type LogFilter, positionOf, readLog } from '../reader/read-log.js';
import { toStepEvents } from '../reader/public-events.js';
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
 * What happened in an environment, batch after batch (E11). A caller that keeps the cursor of the
 * last batch it stored safely loses nothing and repeats at most the next one. Throws
 * `request.invalid` for a cursor that the export cannot continue from.
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
      const read = await toStepEvents(steps, environment.name, names);
      const enough = takeEvents(read, left, end);
      position = enough.end;
      left -= enough.events.length;
      yield { events: enough.events, cursor: formatCursor(era, position) };
    }
  }
}

async function findBeginning(
  database: Database,
  manager: EntityManager,
  { cursor, from }: ExportOptions,
) {
  await refuseDistributed(manager);
  if (cursor !== undefined) return { position: await resolveCursor(database, cursor), since: null };
  return findStart(manager, from);
}

/** So many events of whole steps, or all of them. */
function takeEvents(
  steps: Awaited<ReturnType<typeof toStepEvents>>,
  most: number,
  endOfPage: LogPosition,
) {
  const events: PublicEvent[] = [];
  for (const { step, events: ofStep } of steps) {
    events.push(...ofStep);
    if (events.length >= most) return { events, end: positionOf(step) };
  }
  return { events, end: endOfPage };
}
