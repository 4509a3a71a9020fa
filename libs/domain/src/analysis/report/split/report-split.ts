import type { DataSource } from 'typeorm';
import { invalidRequest } from '../../../database/errors/index.js';
import {
  blockState,
  checkNames,
  compile,
  type CompiledFlow,
  type CompiledSplit,
  type Uid,
} from '../../../engine/index.js';
import { expandCondition, readCondition } from '../../../states/reset/read-condition.js';
import { type Expression, parseExpression } from '../../../targeting/index.js';
import { keepMatching, loadCondition, loadMatching, loadNow } from '../../reader/load-contexts.js';
import { loadUserStates, type StateScope, type UserStates } from '../../reader/load-states.js';
import { loadReportedVersions, loadVersionsUpTo } from '../../reader/load-versions.js';
import { readPages, type UserIdRange } from '../../reader/read-pages.js';
import type { ReportInput, ReportOptions } from '../report-flow.js';
import { loadTimesToGoal } from './times-to-goal.js';
import { hasSameShares, SplitTally, latestWay } from './split-tally.js';
import type { SplitReport } from './split-report.js';

export interface SplitInput extends Omit<ReportInput, 'sample'> {
  /** Identifier of the split. */
  readonly split: string;
  /** A condition; that of the flow when neither is given, where it has one (Z7). */
  readonly goal?: string;
  /** A name of a block, as `tour.complete`, that users take. */
  readonly goalPath?: string;
}

/** What people are counted by. */
type Goal =
  | { readonly kind: 'condition'; readonly condition: Expression }
  | { readonly kind: 'path'; readonly block: Uid; readonly name: string; readonly text: string };

/** Users in a page, about. */
const PAGE = 5_000;
const MOST_FOLLOWED = 10_000;

/**
 * The results of a split, by the way that users were sent, from their states (K3). Reads page by
 * page, writes nothing and holds no lock. Throws `flow.unknown`, `version.unknown`,
 * `request.invalid` for a split, a path or a condition that there is not, and the signal's reason.
 */
export async function reportSplit(
  dataSource: DataSource,
  environmentId: string,
  input: SplitInput,
  options: ReportOptions = {},
): Promise<SplitReport> {
  const { manager } = dataSource;
  const { version, definitions, scope } = await loadReportedVersions(manager, environmentId, input);
  const newest = compile(definitions.at(-1)!.definition);
  const split = findSplit(newest, input.split);
  const goal = await readGoal(dataSource, newest, input);
  const since = await findSameSince(dataSource, scope, split);
  const count = new SplitCount(dataSource, scope, split, goal, since, input, options);
  await count.run(await loadCondition(manager, input.when));
  const ratio = since === null || split.by === 'group' ? undefined : count.tally.sampleRatio(since);
  return {
    flow: input.flow,
    name: newest.definition.name ?? null,
    version,
    split: split.id,
    by: split.by,
    goal: describeGoal(goal),
    outcome: goal ? 'goal' : 'finished',
    ways: count.tally.ways(goal !== null),
    ...(ratio && { sampleRatio: ratio }),
    followed: count.followed,
    notes: notesOf(split, goal),
  };
}

function findSplit(flow: CompiledFlow, id: string): CompiledSplit {
  const found = flow.byIdentifier.get(id);
  if (found?.kind === 'split') return found;
  const splits = [...flow.byUid.values()].filter(({ kind }) => kind === 'split');
  const there =
    splits.length === 0 ? 'it has none' : `it has ${splits.map((one) => one.id).join(', ')}`;
  throw invalidRequest(`there is no split ${id} in this version; ${there}`);
}

async function readGoal(
  { manager }: DataSource,
  flow: CompiledFlow,
  { goal, goalPath }: SplitInput,
): Promise<Goal | null> {
  if (goal !== undefined && goalPath !== undefined)
    throw invalidRequest('a goal is a condition or a path, not both');
  if (goalPath !== undefined) return readPath(flow, goalPath);
  if (goal !== undefined)
    return { kind: 'condition', condition: readCondition(await expandCondition(manager, goal)) };
  const { goal: own, segments } = flow.definition;
  return own === undefined
    ? null
    : { kind: 'condition', condition: parseExpression(own, segments) };
}

function readPath(flow: CompiledFlow, text: string): Goal {
  const at = text.indexOf('.');
  const [id, name] = at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
  const block = flow.byIdentifier.get(id);
  if (!block || !('names' in block))
    throw invalidRequest(`${text} is not a path of a block that users see; write BLOCK.NAME`);
  const checked = checkNames(block, [name]);
  if ('problem' in checked) throw invalidRequest(checked.problem);
  return { kind: 'path', block: block.uid, name, text };
}

function describeGoal(goal: Goal | null): SplitReport['goal'] {
  if (goal === null) return null;
  return goal.kind === 'path' ? { path: goal.text } : { when: goal.condition.source.trim() };
}

/**
 * The first version since which the shares are what they are; null of version 0, whose edits leave
 * no trace.
 */
async function findSameSince(
  { manager }: DataSource,
  { flow, versions }: StateScope,
  split: CompiledSplit,
): Promise<number | null> {
  const newest = versions.at(-1)!;
  if (newest === 0) return null;
  const before = await loadVersionsUpTo(manager, flow, newest - 1);
  let since = newest;
  for (const { version, definition } of before) {
    if (!hasSameShares(split, compile(definition))) break;
    since = version;
  }
  return since;
}

function notesOf({ by }: CompiledSplit, goal: Goal | null): string[] {
  return [
    ...(by === 'group'
      ? [
          'users of one group go the same way, so that intervals are too narrow, and the shares that came are not tested',
        ]
      : []),
    ...(goal?.kind === 'condition'
      ? ['the goal is looked at now, with the present properties']
      : []),
  ];
}

/** One report in the making. */
class SplitCount {
  readonly tally: SplitTally;
  followed = 0;

  constructor(
    private readonly dataSource: DataSource,
    private readonly scope: StateScope,
    private readonly split: CompiledSplit,
    private readonly goal: Goal | null,
    private readonly since: number | null,
    private readonly input: SplitInput,
    private readonly options: ReportOptions,
  ) {
    this.tally = new SplitTally(split);
  }

  async run(when: Expression | null): Promise<void> {
    const { onProgress, signal } = this.options;
    const now = await loadNow(this.dataSource);
    let users = 0;
    for await (const { rows, done } of readPages((range) => this.load(range), {
      wanted: PAGE,
      signal,
    })) {
      users += rows.length;
      await this.add(await keepMatching(this.dataSource, rows, when, now), now);
      onProgress?.(users, done);
    }
  }

  /** People whom the split has sent, with whether that was by other shares than today's. */
  private async load(range: UserIdRange): Promise<SentUser[]> {
    const { dataSource, scope, input, since, split } = this;
    const rows = await loadUserStates(dataSource, scope, range, input.since ?? null);
    const sent = rows.flatMap((row) => {
      const way = latestWay(row.states, split.uid);
      return way === undefined ? [] : [{ ...row, way }];
    });
    if (sent.length === 0 || since === null || since <= 1)
      return sent.map((row) => ({ ...row, isRecent: true }));
    const versions = Array.from({ length: since - 1 }, (_, index) => index + 1);
    const older = await loadUserStates(dataSource, { ...scope, versions }, range, null);
    const before = new Set(
      older.filter(({ states }) => latestWay(states, split.uid)).map(({ userId }) => userId),
    );
    return sent.map((row) => ({ ...row, isRecent: !before.has(row.userId) }));
  }

  private async add(rows: readonly SentUser[], now: number): Promise<void> {
    const reached = await this.findReached(rows, now);
    for (const { userId, states, way, isRecent } of rows)
      this.tally.add({
        way,
        hasFinished: states.at(-1)!.finished,
        hasReached: reached.has(userId),
        isRecent,
      });
    const { goal } = this;
    if (goal?.kind !== 'path') return;
    const left = (this.options.follow ?? MOST_FOLLOWED) - this.followed;
    const followed = rows.filter(({ userId }) => reached.has(userId)).slice(0, left);
    this.followed += followed.length;
    const ways = new Map(followed.map(({ userId, way }) => [userId, way]));
    const times = loadTimesToGoal(this.dataSource, this.scope, [...ways.keys()], {
      ...{ split: this.split.uid, block: goal.block, name: goal.name },
    });
    for await (const { userId, seconds } of times)
      this.tally.addSeconds(ways.get(userId)!, seconds);
  }

  private async findReached(rows: readonly SentUser[], now: number): Promise<ReadonlySet<string>> {
    const { goal } = this;
    if (goal === null) return new Set();
    if (goal.kind === 'condition') {
      const ids = rows.map(({ userId }) => userId);
      return loadMatching(this.dataSource, ids, goal.condition, now);
    }
    const took = rows.filter(({ states }) =>
      states.some((state) => blockState(state, goal.block).transitioned?.includes(goal.name)),
    );
    return new Set(took.map(({ userId }) => userId));
  }
}

interface SentUser extends UserStates {
  readonly way: string;
  readonly isRecent: boolean;
}
