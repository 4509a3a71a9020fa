import type { DataSource } from 'typeorm';
import { type Author, recordWork } from '../database/audit/index.js';
import { pruneStarts } from '../states/attention/prune-starts.js';
import { pruneRuns } from '../states/reset/forget-runs.js';
import { BEGINNING, type LogPosition, positionValues } from './reader/log-position.js';

export interface PruneOptions {
  /** Events from then on stay. */
  readonly before: Date;
  /** Only counts. */
  readonly dryRun?: boolean;
  /** Also what was not delivered to an endpoint yet. */
  readonly evenUndelivered?: boolean;
  /** Called after every batch. */
  readonly onProgress?: (counts: PruneCounts) => void;
  readonly signal?: AbortSignal;
}

export interface PruneCounts {
  /** Events that were deleted, or would be. */
  readonly deleted: number;
  /** Events that are old enough and stay, since an endpoint waits for them. */
  readonly kept: number;
  /** The endpoint that is furthest behind, where any are kept. */
  readonly heldBy: string | null;
}

/** Events that one statement looks at, and deletes at most: no lock is held for long (E12). */
const BATCH = 1_000;

/**
 * How far beyond the time the log is read before nothing older is expected behind it: transactions
 * are shorter.
 */
const MARGIN = "interval '1 hour'";

const POSITION = (of: string) =>
  ['place', 'user_id', 'flow', 'version', 'revision'].map((column) => `${of}.${column}`).join(', ');

/** The endpoint of the environment that has come least far. */
const SLOWEST = `
  SELECT n.name, ${POSITION('p')} FROM endpoint_progress p JOIN endpoints n ON n.id = p.endpoint_id
  WHERE n.environment_id = $6 ORDER BY ${POSITION('p')} LIMIT 1`;

const prune = (remove: string) => `
  WITH slowest AS MATERIALIZED (${SLOWEST}), batch AS MATERIALIZED (
    SELECT ${POSITION('e')}, e.at FROM flow_events e
    WHERE (${POSITION('e')}) > ($1::bigint, $2::uuid, $3::text, $4::int, $5::int)
    ORDER BY ${POSITION('e')} LIMIT ${BATCH}
  ), old AS MATERIALIZED (
    SELECT ${POSITION('b')},
      NOT $8::boolean AND EXISTS (SELECT 1 FROM slowest s WHERE (${POSITION('s')}) < (${POSITION('b')})) AS held
    FROM batch b JOIN users u ON u.user_id = b.user_id WHERE u.environment_id = $6 AND b.at < $7
  ), removed AS (${remove})
  SELECT (SELECT count(*)::int FROM removed) AS deleted, (SELECT count(*)::int FROM old WHERE held) AS kept,
    (SELECT name FROM slowest) AS slowest, (SELECT count(*)::int FROM batch) AS seen,
    (SELECT min(at) > $7 + ${MARGIN} AND min(place) < max(place) FROM batch) AS past,
    l.place::text AS place, l.user_id AS "userId", l.flow, l.version, l.revision
  FROM (VALUES (1)) always LEFT JOIN LATERAL (SELECT * FROM batch b ORDER BY ${POSITION('b')} OFFSET ${BATCH - 1}) l ON true`;

const COUNT = prune('SELECT 1 FROM old WHERE NOT held');
const DELETE = prune(`
  DELETE FROM flow_events e USING old o
  WHERE NOT o.held AND e.user_id = o.user_id AND e.flow = o.flow AND e.version = o.version AND e.revision = o.revision
  RETURNING 1`);

type BatchRow = LogPosition & {
  deleted: number;
  kept: number;
  slowest: string | null;
  seen: number;
  past: boolean | null;
};

/**
 * Deletes the recorded events of an environment that are older than a time, in small batches from
 * the oldest on, so that it can be stopped and run again (E12). Never deletes what an endpoint
 * waits for, unless that is requested. States stay as they are; what they were before can no longer
 * be shown. Resets that are as old are deleted, and starts in attention groups that no limit counts
 * any more. Throws an `AbortError` when the signal says so.
 */
export function pruneEvents(
  dataSource: DataSource,
  environmentId: string,
  options: PruneOptions,
  author: Author,
): Promise<PruneCounts> {
  if (options.dryRun) return run(dataSource, environmentId, options, () => undefined);
  const act = {
    action: 'events.prune',
    environmentId,
    subject: `before ${options.before.toISOString()}`,
  };
  return recordWork(dataSource, act, author, async (notes) => {
    const counts = await run(dataSource, environmentId, options, (soFar) => (notes.result = soFar));
    await pruneRuns(dataSource, environmentId, options.before);
    await pruneStarts(dataSource, environmentId, options.before);
    return counts;
  });
}

async function run(
  dataSource: DataSource,
  environmentId: string,
  { before, dryRun = false, evenUndelivered = false, onProgress, signal }: PruneOptions,
  note: (counts: PruneCounts) => void,
): Promise<PruneCounts> {
  let counts: PruneCounts = { deleted: 0, kept: 0, heldBy: null };
  for (let after = BEGINNING; ;) {
    signal?.throwIfAborted();
    const values = [...positionValues(after), environmentId, before, evenUndelivered];
    const [row] = (await dataSource.query(dryRun ? COUNT : DELETE, values)) as BatchRow[];
    const kept = counts.kept + row!.kept;
    counts = {
      deleted: counts.deleted + row!.deleted,
      kept,
      heldBy: kept > 0 ? row!.slowest : null,
    };
    note(counts);
    onProgress?.(counts);
    if (row!.seen < BATCH || row!.past) return counts;
    after = row!;
  }
}
