import type { Database } from '../../database/database.js';
import { defineStatement } from '../../database/statement.js';
import {
  type AttentionChange,
  type AttentionRules,
  findWait,
  MOST_STARTS,
} from '../../engine/index.js';
import type { FlowWait } from '../state/flow-view.js';
import { type GroupHistory, ms } from '../read/group-history.js';

/** Older starts are never counted, since no limit has a longer span. */
const LONGEST_SPAN_MS = 365 * 86_400_000;

/**
 * One row for each state of a flow that has a place in the group or is asked for ($3); one without
 * a flow where there are none. When a flow was last touched is read together with the places (Q4).
 * No row at all: no such user.
 */
const LOAD_ATTENTION = defineStatement(
  'load_attention',
  `SELECT ${ms('now()')} AS now, a.revision, a.places, a.starts, ${ms('a.ended_at')} AS ended,
     s.flow, s.version, ${ms('s.updated_at')} AS touched, f.archived_at IS NOT NULL AS archived
   FROM users u
     LEFT JOIN attention_states a ON a.user_id = u.user_id AND a."group" = $2
     LEFT JOIN flow_states s ON s.user_id = u.user_id AND s.version > 0
       AND (s.flow = ANY ($3::text[]) OR jsonb_exists(a.places, s.flow))
     LEFT JOIN flows f ON f.flow = s.flow
   WHERE u.user_id = $1`,
);

/** By a statement of its own before the first use, behind the user's row (Q4). */
const MAKE_EMPTY = defineStatement(
  'insert_attention_state',
  `INSERT INTO attention_states (user_id, "group")
   SELECT u.user_id, $2 FROM (SELECT user_id FROM users WHERE user_id = $1 FOR KEY SHARE) u
   ON CONFLICT (user_id, "group") DO NOTHING`,
);

interface AttentionRow {
  now: number;
  revision: number | null;
  places: Record<string, number> | null;
  starts: number[] | null;
  ended: number | null;
  flow: string | null;
  version: number;
  touched: number;
  archived: boolean;
}

/** What is kept of a user in a group. */
interface AttentionRecord {
  /** Flows in progress with the version in which they are. */
  readonly places: Readonly<Record<string, number>>;
  /** Oldest first. */
  readonly starts: readonly number[];
  readonly ended: number | null;
}

/** The state of a user in an attention group at a time of the database, in milliseconds. */
export interface AttentionSnapshot extends GroupHistory {
  /** Null where there is no row yet. */
  readonly revision: number | null;
  readonly record: AttentionRecord;
  /** The highest committed version of each flow in which the user has a state. */
  readonly highest: ReadonlyMap<string, number>;
}

/** What a write leaves behind in the row of its group. */
export interface AttentionWrite {
  readonly group: string;
  /** The row is written only if it is still at this revision. */
  readonly revision: number;
  readonly record: AttentionRecord;
}

/** Null for a user who is not there any more. */
export async function loadAttention(
  database: Database,
  userId: string,
  group: string,
  flows: readonly string[],
): Promise<AttentionSnapshot | null> {
  const rows = await database.run<AttentionRow>(LOAD_ATTENTION, [userId, group, flows]);
  const [first] = rows;
  if (!first) return null;
  const { now, revision, places, starts, ended } = first;
  const record = { places: places ?? {}, starts: starts ?? [], ended };
  const highest = new Map<string, number>();
  for (const { flow, version } of rows)
    if (flow !== null) highest.set(flow, Math.max(version, highest.get(flow) ?? 0));
  const holding = rows.filter(
    ({ flow, version, archived }) =>
      flow !== null &&
      !archived &&
      record.places[flow] === version &&
      highest.get(flow) === version,
  );
  const touched = new Map(holding.map(({ flow, touched }) => [flow!, touched]));
  return { group, now, revision, record, touched, highest };
}

/** So that a write can look whether the row is still the one that was read. */
export async function makeRow(database: Database, userId: string, group: string): Promise<void> {
  await database.run(MAKE_EMPTY, [userId, group]);
}

/** The snapshot after a write, for what the same request does next. */
export function attentionAfter(
  snapshot: AttentionSnapshot,
  flow: string,
  version: number,
  { starts, ends, holds }: AttentionChange,
): AttentionSnapshot {
  const { now, record, revision } = snapshot;
  const { [flow]: _own, ...others } = record.places;
  const touched = new Map(snapshot.touched);
  touched.delete(flow);
  if (holds) touched.set(flow, now);
  const since = now - LONGEST_SPAN_MS;
  return {
    ...snapshot,
    revision: (revision ?? 0) + 1,
    touched,
    highest: new Map(snapshot.highest).set(flow, version),
    record: {
      places: holds ? { ...others, [flow]: version } : others,
      starts: (starts ? [...record.starts, now] : record.starts)
        .filter((at) => at > since)
        .slice(-MOST_STARTS),
      ended: ends ? now : record.ended,
    },
  };
}

/** Why the flow may not start by itself now; null where it may. */
export function findFlowWait(
  { group, now, touched, record: { starts, ended } }: GroupHistory,
  flow: string,
  rules: AttentionRules,
): FlowWait | null {
  const others = [...touched].filter(([name]) => name !== flow).map(([, at]) => at);
  const wait = findWait(rules, { touched: others, starts, ended }, now);
  return wait && { group, ...wait, now };
}
