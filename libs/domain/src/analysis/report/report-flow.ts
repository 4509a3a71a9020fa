import type { DataSource } from 'typeorm';
import type { FlowState, MigrationStrategy } from '../../engine/index.js';
import type { Expression } from '../../targeting/index.js';
import { keepMatching, loadCondition, loadNow } from '../reader/load-contexts.js';
import { loadEqualUsers, loadUserStates, type StateScope } from '../reader/load-states.js';
import { loadReportedVersions } from '../reader/load-versions.js';
import { readPages, sampleOf, type UserIdRange } from '../reader/read-pages.js';
import { BlockTimings } from './block-timings.js';
import type { FlowReport } from './flow-report.js';
import { GoalTally } from './goal-tally.js';
import { type ReportedVersions, reportedVersions, StateTally } from './state-tally.js';

export interface ReportInput {
  readonly flow: string;
  /** The one that `latest` is when left out, 0 where there is none. */
  readonly version?: number | 'all';
  /** Only users who met the flow then or later. */
  readonly since?: Date;
  /** An expression over the user, and over their groups (S29, S33). */
  readonly when?: string;
  /**
   * Count that many users at most: those with the lowest ids, which are hashes and so a fair
   * choice.
   */
  readonly sample?: number;
}

export interface ReportOptions {
  /** Called after every page: users counted so far, and how much of all is behind, from 0 to 1. */
  readonly onProgress?: (users: number, done: number) => void;
  readonly signal?: AbortSignal;
  /** Users whose events are looked at, for times and outcomes; the first 10,000 when left out. */
  readonly follow?: number;
}

/**
 * Users on one row, since their states are the same; only of single users it is known who they are.
 */
interface Counted {
  readonly userId: string | null;
  readonly states: readonly FlowState[];
  readonly users: number;
}

/**
 * What a page holds, in small states: about as many users, or ten times as many where most states
 * are equal.
 */
const PAGE = 5_000;
const EQUAL_WEIGHT = 0.1;
/** Blocks of a state that take about as much room as everything else that comes with its user. */
const BLOCKS_OF_ONE = 20;
const MOST_FOLLOWED = 10_000;

/**
 * Where the users of a flow are and how they got there (E13). Reads page by page, writes nothing
 * and holds no lock; a replica serves too. Throws `flow.unknown`, `version.unknown`,
 * `request.invalid` for a condition that cannot be read, and the signal's reason.
 */
export async function reportFlow(
  dataSource: DataSource,
  environmentId: string,
  input: ReportInput,
  options: ReportOptions = {},
): Promise<FlowReport> {
  const condition = await loadCondition(dataSource.manager, input.when);
  const { version, definitions, scope, strategies } = await loadReportedVersions(
    dataSource.manager,
    environmentId,
    input,
  );
  const versions = reportedVersions(definitions.map(({ definition }) => definition));
  const count = new Count(dataSource, scope, versions, condition, input, options);
  await count.run();
  return toReport(input, version, strategies, versions, count);
}

function toReport(
  { flow }: ReportInput,
  version: FlowReport['version'],
  strategies: readonly MigrationStrategy[],
  { newest, blocks, branches, delays }: ReportedVersions,
  { tally, timings, goal, isCut }: Count,
): FlowReport {
  const { users, started, inProgress, finished, stopped } = tally;
  return {
    flow,
    name: newest.definition.name ?? null,
    version,
    users,
    ...{ started, inProgress, finished, stopped },
    ...(goal && { goal: goal.report() }),
    blocks: tally.blocks().map((block, index) => {
      const { uid } = blocks[index]!;
      const answers = timings.answers.of(uid);
      const seconds = timings.secondsOf(uid);
      return { ...block, seconds, ...(answers.length > 0 && { answers }) };
    }),
    branches: branches.map(({ uid, id }) => ({ block: id, outcomes: timings.outcomesOf(uid) })),
    ...(delays.length > 0 && { delays: tally.delays() }),
    days: timings.days(),
    followed: timings.users,
    ...(isCut && { sampled: sampleOf(users) }),
    notes: noteOf(strategies),
  };
}

/** One report in the making. */
class Count {
  readonly tally: StateTally;
  readonly timings = new BlockTimings();
  readonly goal: GoalTally | null;
  /** Whether there are more users than requested. */
  isCut = false;
  private readonly sample: number;
  private readonly mostFollowed: number;

  constructor(
    private readonly dataSource: DataSource,
    private readonly scope: StateScope,
    versions: ReportedVersions,
    private readonly condition: Expression | null,
    private readonly input: ReportInput,
    private readonly options: ReportOptions,
  ) {
    this.tally = new StateTally(versions);
    const { goal, segments } = versions.newest.definition;
    this.goal = goal === undefined ? null : new GoalTally(goal, segments);
    this.sample = input.sample ?? Infinity;
    this.mostFollowed = options.follow ?? MOST_FOLLOWED;
  }

  async run(): Promise<void> {
    const { onProgress, signal } = this.options;
    const now = await loadNow(this.dataSource);
    const options = { wanted: PAGE, count: weightOfAll, ahead: 2, signal };
    for await (const { rows, done } of readPages((range) => this.load(range), options)) {
      await this.add(rows, now);
      onProgress?.(this.tally.users, done);
      if (this.isCut) return;
    }
  }

  /** Users one by one as long as it matters who they are; equal ones together afterwards. */
  private async load(range: UserIdRange): Promise<Counted[]> {
    const { dataSource, scope, input } = this;
    const since = input.since ?? null;
    if (this.mayCountTogether()) {
      const rows = await loadEqualUsers(dataSource, scope, range, since);
      return rows.map(({ state, users }) => ({ userId: null, states: [state], users }));
    }
    const rows = await loadUserStates(dataSource, scope, range, since);
    return rows.map(({ userId, states }) => ({ userId, states, users: 1 }));
  }

  private mayCountTogether(): boolean {
    const { condition, goal, sample, scope, timings } = this;
    return (
      condition === null &&
      goal === null &&
      sample === Infinity &&
      scope.versions.length === 1 &&
      timings.users >= this.mostFollowed
    );
  }

  private async add(rows: readonly Counted[], now: number): Promise<void> {
    const matching = await keepMatching(this.dataSource, rows, this.condition, now);
    const counted = matching.slice(0, this.sample - this.tally.users);
    if (counted.length < matching.length) this.isCut = true;
    for (const { states, users } of counted) this.tally.add(states, users);
    await this.goal?.add(this.dataSource, counted, now);
    const followed = idsOf(counted).slice(0, this.mostFollowed - this.timings.users);
    await this.timings.follow(this.dataSource, this.scope, followed);
  }
}

const idsOf = (rows: readonly Counted[]): string[] => rows.flatMap(({ userId }) => userId ?? []);

/** A large state takes more room, so that pages of large states hold fewer users. */
function weightOfAll(rows: readonly Counted[]): number {
  let weight = 0;
  for (const { states, users } of rows) {
    for (const { blocks } of states) weight += 1 + Object.keys(blocks).length / BLOCKS_OF_ONE;
    weight += users * EQUAL_WEIGHT;
  }
  return weight;
}

/** What strategies leave out, which explains numbers that look wrong (E13, S28). */
const KEPT_FLAGS: Record<MigrationStrategy, string | null> = {
  'carry-over': null,
  'restart-in-progress':
    'users who had finished or stopped an older version kept that without its blocks: they count above, but not as having reached a block (restart-in-progress)',
  'restart-all':
    'users who were kept out of an older version before they ever started are stopped or finished without blocks (restart-all)',
  'stop-in-progress':
    'users of an older version were stopped, or kept that they had finished, without its blocks: they count above, but not as having reached a block (stop-in-progress)',
};

/** A note for each strategy that kept flags without blocks, once. */
function noteOf(strategies: readonly MigrationStrategy[]): string[] {
  return [...new Set(strategies)].flatMap((strategy) => KEPT_FLAGS[strategy] ?? []);
}
