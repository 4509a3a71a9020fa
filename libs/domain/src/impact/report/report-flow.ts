import type { DataSource } from 'typeorm';
import type { FlowState, MigrationStrategy } from '../../engine/index.js';
import { readCondition } from '../../flow-states/reset/read-condition.js';
import { evaluateCondition, type Expression } from '../../targeting/index.js';
import { loadContexts, loadNow } from '../pages/load-contexts.js';
import { readPages } from '../pages/read-pages.js';
import { sampleOf } from '../pages/sample.js';
import { weightOf } from '../pages/weight.js';
import { CourseTally } from './course-tally.js';
import type { FlowReport } from './flow-report.js';
import { followUsers } from './follow-users.js';
import { loadEqualUsers, loadReportedUsers, type ReportScope } from './load-reported.js';
import { loadReportedVersions } from './load-reported-versions.js';
import { noteOf } from './notes.js';
import { type ReportedVersions, reportedVersions } from './reported-blocks.js';
import { StateTally } from './state-tally.js';

export interface ReportInput {
  readonly flow: string;
  /** The one that `latest` is when left out, 0 where there is none. */
  readonly version?: number | 'all';
  /** Only users who met the flow then or later. */
  readonly since?: Date;
  /** An expression over the user, and over their groups (S29, S33). */
  readonly when?: string;
  /** Count that many users at most: those with the lowest ids, which are hashes and so a fair choice. */
  readonly sample?: number;
}

export interface ReportOptions {
  /** Called after every page: users counted so far, and how much of all is behind, from 0 to 1. */
  readonly onProgress?: (users: number, done: number) => void;
  readonly signal?: AbortSignal;
  /** Users whose events are looked at, for times and outcomes; the first 10,000 when left out. */
  readonly follow?: number;
}

/** Users on one row, since their states are the same; only of single users it is known who they are. */
interface Counted {
  readonly userId: string | null;
  readonly states: readonly FlowState[];
  readonly users: number;
}

/** What a page holds, in small states: about as many users, or ten times as many where most states are equal. */
const PAGE = 5_000;
const EQUAL_WEIGHT = 0.1;
const MOST_FOLLOWED = 10_000;

/**
 * Where the users of a flow are and how they got there (E13). Reads page by page, writes nothing and holds no lock; a
 * replica serves too. Throws `flow.unknown`, `version.unknown`, `request.invalid` for a condition that cannot be read, and
 * the signal's reason.
 */
export async function reportFlow(
  dataSource: DataSource,
  environmentId: string,
  input: ReportInput,
  options: ReportOptions = {},
): Promise<FlowReport> {
  const condition = input.when === undefined ? null : readCondition(input.when);
  const { version, definitions, strategies } = await loadReportedVersions(dataSource.manager, environmentId, input);
  const versions = reportedVersions(definitions.map(({ definition }) => definition));
  const scope = { environmentId, flow: input.flow, versions: definitions.map((one) => one.version), since: input.since ?? null };
  const count = new Count(dataSource, scope, versions, condition, input.sample ?? Infinity, options.follow ?? MOST_FOLLOWED);
  await count.run(options);
  return toReport(input, version, strategies, versions, count);
}

function toReport(
  { flow }: ReportInput,
  version: FlowReport['version'],
  strategies: readonly MigrationStrategy[],
  { newest, blocks, branches }: ReportedVersions,
  { tally, courses, isCut }: Count,
): FlowReport {
  const { users, started, inProgress, finished, stopped } = tally;
  return {
    flow,
    name: newest.definition.name ?? null,
    version,
    users,
    ...{ started, inProgress, finished, stopped },
    blocks: tally.blocks().map((block, index) => ({ ...block, seconds: courses.secondsOf(blocks[index]!.uid) })),
    branches: branches.map(({ uid, id }) => ({ block: id, outcomes: courses.outcomesOf(uid) })),
    followed: courses.users,
    ...(isCut && { sampled: sampleOf(users) }),
    notes: noteOf(strategies),
  };
}

/** One report in the making. */
class Count {
  readonly tally: StateTally;
  readonly courses = new CourseTally();
  /** Whether there are more users than were asked for. */
  isCut = false;
  private now = 0;

  constructor(
    private readonly dataSource: DataSource,
    private readonly scope: ReportScope,
    versions: ReportedVersions,
    private readonly condition: Expression | null,
    private readonly sample: number,
    private readonly mostFollowed: number,
  ) {
    this.tally = new StateTally(versions);
  }

  async run({ onProgress, signal }: ReportOptions): Promise<void> {
    this.now = await loadNow(this.dataSource);
    const pages = readPages((range) => this.load(range), { wanted: PAGE, count: weightOfAll, ahead: 2, signal });
    for await (const { rows, done } of pages) {
      await this.add(rows);
      onProgress?.(this.tally.users, done);
      if (this.isCut) return;
    }
  }

  /** Users one by one as long as it matters who they are; equal ones together afterwards. */
  private async load(range: Parameters<typeof loadReportedUsers>[2]): Promise<Counted[]> {
    if (this.mayCountTogether()) {
      const rows = await loadEqualUsers(this.dataSource, this.scope, range);
      return rows.map(({ state, users }) => ({ userId: null, states: [state], users }));
    }
    const rows = await loadReportedUsers(this.dataSource, this.scope, range);
    return rows.map(({ userId, states }) => ({ userId, states, users: 1 }));
  }

  private mayCountTogether(): boolean {
    const { condition, sample, scope, courses } = this;
    return condition === null && sample === Infinity && scope.versions.length === 1 && courses.users >= this.mostFollowed;
  }

  private async add(rows: readonly Counted[]): Promise<void> {
    const matching = this.condition ? await this.findMatching(rows, this.condition) : rows;
    const counted = matching.slice(0, this.sample - this.tally.users);
    if (counted.length < matching.length) this.isCut = true;
    for (const { states, users } of counted) this.tally.add(states, users);
    const followed = counted.flatMap(({ userId }) => userId ?? []).slice(0, this.mostFollowed - this.courses.users);
    await followUsers(this.dataSource, this.scope, followed, (course) => this.courses.add(course));
  }

  private async findMatching(rows: readonly Counted[], condition: Expression): Promise<Counted[]> {
    const ids = rows.flatMap(({ userId }) => userId ?? []);
    const matching = new Set<string | null>();
    const asked = { now: this.now, groups: condition.mentionsGroup };
    for await (const contexts of loadContexts(this.dataSource, ids, asked)) {
      for (const [userId, context] of contexts) if (evaluateCondition(condition, context)) matching.add(userId);
    }
    return rows.filter(({ userId }) => matching.has(userId));
  }
}

function weightOfAll(rows: readonly Counted[]): number {
  let weight = 0;
  for (const { states, users } of rows) {
    for (const state of states) weight += weightOf(state);
    weight += users * EQUAL_WEIGHT;
  }
  return weight;
}
