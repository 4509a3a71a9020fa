import type { DataSource } from 'typeorm';
import { Database } from '../../database/index.js';
import {
  type AttentionHistory,
  type AttentionRule,
  type AttentionRules,
  findWait,
} from '../../engine/index.js';
import { listAttentionGroups, type ResolvedFlow } from '../../flows/index.js';
import { formatDuration } from '../../engine/index.js';
import { loadAttention } from '../../states/attention/attention-snapshot.js';

/** An attention group with what happened to one user in it (Q3). */
export interface GroupHistory extends Pick<AttentionHistory, 'starts' | 'ended'> {
  readonly group: string;
  readonly rules: AttentionRules;
  /**
   * When flows in progress that hold a place were last touched, in milliseconds as all times here.
   */
  readonly touched: ReadonlyMap<string, number>;
  /** What people call those flows, where sentences are to say that instead of identifiers (T16). */
  readonly names?: ReadonlyMap<string, string>;
}

/** Which rule of the group of a flow lets it wait (Q7). */
export interface ExplainedWait {
  readonly group: string;
  readonly rule: AttentionRule;
  /** Where time alone helps. */
  readonly until?: Date;
  /** Flows in progress that hold a place of the group. */
  readonly holders: readonly string[];
  /** What the rule says, in words. */
  readonly because: string;
}

/** Why the next read would not start a flow that is ready to start; undefined where it would. */
export async function explainWait(
  dataSource: DataSource,
  userId: string,
  { flow, version, compiled }: ResolvedFlow,
  titles = false,
): Promise<ExplainedWait | undefined> {
  const group = compiled.definition.attention?.group;
  if (group === undefined || version === 0) return undefined;
  const loaded = await loadGroupHistory(dataSource, userId, group, titles);
  return loaded && findExplainedWait(flow, loaded, loaded.now);
}

/** Without rules for a group that is not there; undefined for a user who is not. */
export async function loadGroupHistory(
  dataSource: DataSource,
  userId: string,
  group: string,
  titles = false,
): Promise<(GroupHistory & { readonly now: number }) | undefined> {
  const rules = (await listAttentionGroups(dataSource.manager)).get(group) ?? {};
  const snapshot = await loadAttention(new Database(dataSource), userId, group, []);
  if (!snapshot) return undefined;
  const { record, touched, now } = snapshot;
  const names = titles && { names: await loadNames(dataSource, [...touched.keys()]) };
  return { group, rules, touched, starts: record.starts, ended: record.ended, now, ...names };
}

/** In quotation marks, of those flows that have one. */
async function loadNames(
  dataSource: DataSource,
  flows: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (flows.length === 0) return new Map();
  const rows: { flow: string; name: string | null }[] = await dataSource.query(
    `SELECT DISTINCT ON (flow) flow, definition->>'name' AS name FROM flow_versions
     WHERE flow = ANY ($1::text[]) ORDER BY flow, version DESC`,
    [flows],
  );
  return new Map(rows.flatMap(({ flow, name }) => (name === null ? [] : [[flow, `“${name}”`]])));
}

/** As the services would decide about a flow that is ready to start (Q3). */
export function findExplainedWait(
  flow: string,
  { group, rules, touched, starts, ended, names }: GroupHistory,
  now: number,
): ExplainedWait | undefined {
  const others = [...touched].filter(([name]) => name !== flow);
  const wait = findWait(rules, { touched: others.map(([, at]) => at), starts, ended }, now);
  if (!wait) return undefined;
  const { limit, pause, atOnce, idle = Infinity } = rules;
  const holders = others.filter(([, at]) => now - at < idle).map(([name]) => name);
  const because = {
    'at-once': `at most ${atOnce} of its flows may be in progress at once, and in progress are ${holders.map((name) => names?.get(name) ?? name).join(', ')}`,
    limit: `${limit?.starts} of its flows were started within ${formatDuration(limit?.per ?? 0)}`,
    pause: `one of its flows ended less than ${formatDuration(pause ?? 0)} ago`,
  }[wait.rule];
  const until = wait.until === undefined ? {} : { until: new Date(wait.until) };
  return { group, rule: wait.rule, ...until, holders, because };
}
