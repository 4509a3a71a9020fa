import type { Database } from '../../database/database.js';
import { defineStatement } from '../../database/statement.js';
import { attentionOf, type ResolvedFlow } from '../../flows/catalogue/resolved-flow.js';
import { RecentlyUsed } from '../../targeting/values/recently-used.js';
import type { Found } from './found-state.js';

/**
 * What lets flows of a group wait for one user, as far as rules look at it; times in milliseconds
 * of the database.
 */
export interface GroupHistory {
  readonly group: string;
  readonly now: number;
  /** When the flows that hold a place were last touched. */
  readonly touched: ReadonlyMap<string, number>;
  readonly record: {
    /** Oldest first. */
    readonly starts: readonly number[];
    readonly ended: number | null;
  };
}

/** SQL: milliseconds since 1970. */
export const ms = (time: string): string => `round(extract(epoch FROM ${time}) * 1000)::float8`;

/**
 * A flow holds its place in the highest version that the user has met, unless it is archived (Q2).
 * The comparison of rows keeps PostgreSQL to the primary key, as in `LOAD_STATES`.
 */
const LOAD_HISTORIES = defineStatement(
  'load_group_histories',
  `SELECT a."group", a.starts, ${ms('a.ended_at')} AS ended, ${ms('now()')} AS now, (
     SELECT json_object_agg(s.flow, ${ms('s.updated_at')})
     FROM jsonb_each_text(a.places) AS held (flow, version)
       CROSS JOIN LATERAL (
         SELECT s.flow, s.version, s.updated_at FROM flow_states s
         WHERE s.user_id = $1 AND s.flow = held.flow
           AND (s.user_id, s.flow, s.version) > ($1, held.flow, 0)
         ORDER BY s.user_id DESC, s.flow DESC, s.version DESC LIMIT 1
       ) s
     WHERE s.version = held.version::int
       AND NOT EXISTS (SELECT FROM flows f WHERE f.flow = s.flow AND f.archived_at IS NOT NULL)
   ) AS touched
   FROM attention_states a WHERE a.user_id = $1 AND a."group" = ANY ($2::text[])`,
  'one',
);

interface HistoryRow {
  group: string;
  starts: number[];
  ended: number | null;
  now: number;
  touched: Record<string, number> | null;
}

/** Groups of users of which it is remembered that the user may have to wait. */
const REMEMBERED = 10_000;

const NO_HISTORIES: ReadonlyMap<string, GroupHistory> = new Map();

/** Reads what happened to a user in groups: only flows without a state may have to wait. */
export class GroupHistories {
  private readonly entering = new RecentlyUsed<true>(REMEMBERED);

  constructor(private readonly database: Database) {}

  /**
   * The states of a list, and by group the histories of the groups that flows among them may enter.
   * These follow the states. Those of groups that the user could enter before come beside them: who
   * waits is likely to wait still, and saves a round trip (P19).
   */
  async loadWith(
    userId: string,
    flows: readonly ResolvedFlow[],
    loading: Promise<(Found | undefined)[]>,
  ): Promise<[(Found | undefined)[], ReadonlyMap<string, GroupHistory>]> {
    const all = groupsOf(flows);
    if (all.length === 0) return [await loading, NO_HISTORIES];
    const likely = all.filter((group) => this.entering.find(userId + group));
    const [states, early] = await Promise.all([loading, this.load(userId, likely)]);
    const entered = groupsOf(flows.filter((_flow, index) => states[index]?.stored === null));
    for (const group of all)
      if (entered.includes(group)) this.entering.set(userId + group, true, 1);
      else this.entering.delete(userId + group);
    const late = entered.filter((group) => !likely.includes(group));
    if (late.length === 0) return [states, early];
    return [states, new Map([...early, ...(await this.load(userId, late))])];
  }

  /** Of groups in which anything happened to the user; none where tables are distributed (G1). */
  private async load(
    userId: string,
    groups: readonly string[],
  ): Promise<ReadonlyMap<string, GroupHistory>> {
    if (groups.length === 0 || (await this.database.isDistributed())) return NO_HISTORIES;
    const rows = await this.database.run<HistoryRow>(LOAD_HISTORIES, [userId, groups]);
    return new Map(
      rows.map(({ group, starts, ended, now, touched }) => [
        group,
        { group, now, touched: new Map(Object.entries(touched ?? {})), record: { starts, ended } },
      ]),
    );
  }
}

const groupsOf = (flows: readonly ResolvedFlow[]): string[] => [
  ...new Set(flows.flatMap((flow) => attentionOf(flow)?.group ?? [])),
];
