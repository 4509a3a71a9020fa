import type { DataSource } from 'typeorm';
import {
  EMPTY_STATE,
  exposedBlocks,
  isActive,
  blockState,
  chooseWay,
  type CompiledContainer,
  type CompiledFlow,
  type CompiledGate,
  type CompiledSplit,
  type Context,
  type FlowState,
  gateState,
  isRunning,
  type Uid,
  waitingForDone,
} from '../../engine/index.js';
import { advance } from '../../states/command/advance.js';
import { type Expression, parseExpression } from '../../targeting/index.js';
import { userId } from '../../users/index.js';
import { startsOnRead } from '../reader/next-read.js';
import { explainWait } from './explain-wait.js';
import { explainCondition } from './explain-condition.js';
import type { ExplainedSplit, Explanation, WaitingGate } from './explanation.js';
import { type ExplainInput, type ExplainQuery, loadExplainInput } from './load-explain-input.js';
import { describeReasons, type EvaluatedRead, findDecidingReason } from './reasons.js';

/**
 * Why a user sees what they see of a flow, and why not (I1). Runs the real engine on what is
 * stored, and writes nothing. That a user was never identified is an answer, not an error. Throws
 * `flow.unknown` and `version.unknown`.
 */
export async function explainUser(
  dataSource: DataSource,
  environmentId: string,
  input: ExplainQuery,
): Promise<Explanation> {
  const loaded = await loadExplainInput(dataSource, environmentId, input);
  const about = { user: input.user, flow: input.flow, version: loaded.flow.version };
  const { context } = loaded;
  if (!context) return { ...about, ...NOBODY, reasons: describeReasons({ ...loaded, input }) };
  const read = await evaluateRead(dataSource, environmentId, input, { ...loaded, context });
  const { compiled } = loaded.flow;
  const because = findDecidingReason(read, context);
  const explain = (condition: Expression) => explainCondition(condition, context, input.values);
  return {
    ...about,
    identified: true,
    wouldStart: read.wouldStart,
    ...(read.waits && { waits: read.waits }),
    ...(because !== undefined && { because }),
    reasons: describeReasons(read),
    ...(typeof compiled.target !== 'string' && { condition: explain(compiled.target) }),
    ...(read.goal && { goal: explain(read.goal) }),
    active: findActive(read),
    done: waitingForDone(compiled, read.current.state).map(({ block, when }) => ({
      block: block.id,
      condition: explain(when),
    })),
    gates: read.gates,
    ...(read.delays.length > 0 && { delays: read.delays }),
    items: read.items,
    ...(read.splits.length > 0 && { splits: read.splits }),
    branches: read.branches,
  };
}

/** What the next read of the application would do and find. */
async function evaluateRead(
  dataSource: DataSource,
  environmentId: string,
  input: ExplainQuery,
  loaded: ExplainInput & { readonly context: Context },
): Promise<EvaluatedRead> {
  const { flow, stored, context, timeline } = loaded;
  const { compiled } = flow;
  const current = advance(flow, stored, { kind: 'read', starts: false }, context);
  const { goal, segments } = compiled.definition;
  const isReady = !loaded.isArchived && startsOnRead(flow, stored, context);
  const waits = isReady
    ? await explainWait(dataSource, userId(environmentId, input.user), flow, input.titles)
    : undefined;
  return {
    ...loaded,
    ...{ input, current },
    wouldStart: isReady && !waits,
    ...(goal !== undefined && { goal: parseExpression(goal, segments) }),
    ...(waits && { waits }),
    gates: findWaitingGates(compiled, current.state),
    delays: findDelays(compiled, current.state),
    splits: findWays(compiled, current.state, context),
    items: findItemsLeft(compiled, current.state),
    branches: [...timeline.outcomes].map(([uid, { last, by }]) => {
      return { block: compiled.byUid.get(uid)?.id ?? uid, outcome: last, at: by.at };
    }),
  };
}

/**
 * The ways through splits: what was taken is kept until a reset, the others are chosen when they
 * are reached (K1).
 */
function findWays(flow: CompiledFlow, state: FlowState, context: Context): ExplainedSplit[] {
  const splits = [...flow.byUid.values()].filter(
    (block): block is CompiledSplit => block.kind === 'split',
  );
  return splits.map((split) => {
    const { transitioned = [] } = blockState(state, split.uid);
    const taken = split.ways.find(({ name }) => transitioned.includes(name));
    const { name, share } = taken ?? chooseWay(split, context);
    const ofAll = split.ways.reduce((sum, way) => sum + way.share, 0);
    return { block: split.id, isTaken: taken !== undefined, way: name, share, ofAll };
  });
}

/** In the order in which they are over. */
function findDelays({ byUid }: CompiledFlow, { waiting = {} }: FlowState) {
  return Object.entries(waiting)
    .sort(([, one], [, other]) => one - other)
    .map(([uid, until]) => ({ block: byUid.get(uid)?.id ?? uid, until: new Date(until) }));
}

/** The items that active containers still wait for, before they complete by themselves (S23). */
function findItemsLeft(flow: CompiledFlow, state: FlowState): Explanation['items'] {
  const containers = flow.exposed.filter(
    (block): block is CompiledContainer => block.kind === 'container',
  );
  return containers
    .filter(({ uid }) => isActive(state, uid))
    .map(({ id, items }) => ({
      block: id,
      left: items.filter(({ uid }) => !isLeft(state, uid)).map((item) => item.id),
    }));
}

function isLeft(state: FlowState, uid: string): boolean {
  const { active, exited } = blockState(state, uid);
  return !active && exited === true;
}

/**
 * Gates that have received something and wait for more, with what they wait for and whether it can
 * still come (S16).
 */
function findWaitingGates(flow: CompiledFlow, state: FlowState): WaitingGate[] {
  const gates = [...flow.byUid.values()].filter(
    (block): block is CompiledGate => block.kind === 'gate',
  );
  const waiting = gates.filter(({ uid }) => gateState(state, uid).length > 0);
  if (waiting.length === 0) return [];
  const reachable = isRunning(state) ? findReachable(flow, state) : new Set<Uid>();
  const nameOf = (uid: Uid): string => flow.byUid.get(uid)?.id ?? uid;
  return waiting.map(({ uid, id, inputs }) => {
    const received = gateState(state, uid);
    const missing = [...inputs].filter((input) => !received.includes(input));
    return {
      block: id,
      received: received.map(nameOf),
      waitsFor: missing.map((input) => ({ block: nameOf(input), canCome: reachable.has(input) })),
    };
  });
}

/**
 * Blocks that some path leads to from an active one or a delay that waits, whatever branches decide
 * and users take.
 */
function findReachable(flow: CompiledFlow, state: FlowState): ReadonlySet<Uid> {
  const active = flow.exposed.filter(({ uid }) => isActive(state, uid)).map(({ uid }) => uid);
  const pending = [...active, ...Object.keys(state.waiting ?? {})];
  const reached = new Set<Uid>();
  for (let uid = pending.pop(); uid !== undefined; uid = pending.pop()) {
    const block = flow.byUid.get(uid);
    if (!block || reached.has(uid)) continue;
    reached.add(uid);
    for (const path of 'paths' in block ? [...block.paths.values()].flat() : [])
      if (path.to !== 'finish') pending.push(path.to.uid);
  }
  return reached;
}

const NOBODY = {
  identified: false,
  wouldStart: false,
  active: [],
  done: [],
  gates: [],
  items: [],
  branches: [],
};

function findActive({ flow, stored, current, timeline }: EvaluatedRead): Explanation['active'] {
  const active = exposedBlocks(flow.compiled).filter(({ uid }) => isActive(current.state, uid));
  const before = stored?.state ?? EMPTY_STATE;
  return active.map(({ uid, id }) => ({
    block: id,
    since: (isActive(before, uid) && timeline.active.get(uid)?.at) || null,
  }));
}
