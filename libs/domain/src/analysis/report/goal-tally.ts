import type { DataSource } from 'typeorm';
import type { FlowDefinition, FlowState } from '../../engine/index.js';
import { type Expression, parseExpression } from '../../targeting/index.js';
import { loadMatching } from '../reader/load-contexts.js';
import type { GoalReport } from './flow-report.js';

/** Some of the users of a flow, each with their states from the oldest version to the newest. */
type Users = readonly { readonly userId: string | null; readonly states: readonly FlowState[] }[];

/**
 * Counts for whom the goal of a flow holds, among those who started it; the properties of the
 * others are not read (Z7).
 */
export class GoalTally {
  private readonly condition: Expression;
  private met = 0;
  private missed = 0;

  constructor(
    private readonly source: string,
    segments: FlowDefinition['segments'],
  ) {
    this.condition = parseExpression(source, segments);
  }

  async add(dataSource: DataSource, users: Users, now: number): Promise<void> {
    const started = users.flatMap(({ userId, states }) => {
      const state = states.at(-1)!;
      return userId !== null && state.started ? { userId, state } : [];
    });
    const ids = started.map(({ userId }) => userId);
    const met = await loadMatching(dataSource, ids, this.condition, now);
    this.met += met.size;
    this.missed += started.filter(({ userId, state }) => state.finished && !met.has(userId)).length;
  }

  report(): GoalReport {
    return { when: this.source.trim(), met: this.met, missed: this.missed };
  }
}
