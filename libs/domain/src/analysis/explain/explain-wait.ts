import type { DataSource } from 'typeorm';
import { Database } from '../../database/index.js';
import type { AttentionRule } from '../../engine/index.js';
import { listAttentionGroups, type ResolvedFlow } from '../../flows/index.js';
import { formatDuration } from '../../flow-files/index.js';
import { findFlowWait, loadStanding } from '../../states/attention/attention-standing.js';

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
): Promise<ExplainedWait | undefined> {
  const group = compiled.definition.attention?.group;
  if (group === undefined || version === 0) return undefined;
  const rules = (await listAttentionGroups(dataSource.manager)).get(group) ?? {};
  const standing = await loadStanding(new Database(dataSource), userId, group, [flow]);
  const wait = standing && findFlowWait(standing, flow, rules);
  if (!wait) return undefined;
  const { limit, pause, atOnce, idle = Infinity } = rules;
  const holders = [...standing.touched]
    .filter(([name, touched]) => name !== flow && standing.now - touched < idle)
    .map(([name]) => name);
  const because = {
    'at-once': `at most ${atOnce} of its flows may be in progress at once, and in progress are ${holders.join(', ')}`,
    limit: `${limit?.starts} of its flows were started within ${formatDuration(limit?.per ?? 0)}`,
    pause: `one of its flows ended less than ${formatDuration(pause ?? 0)} ago`,
  }[wait.rule];
  const until = wait.until === undefined ? {} : { until: new Date(wait.until) };
  return { group, rule: wait.rule, ...until, holders, because };
}
