import {
  type Change,
  type CompiledFlow,
  type Context,
  type Effect,
  type FlowState,
  isEmptyState,
  isRunning,
  type Uid,
  waitingOf,
  waitsUntil,
} from '../../engine/index.js';
import type { ResolvedFlow } from '../../flows/index.js';
import { advance } from '../../states/command/advance.js';
import type { StoredState } from '../../states/read/found-state.js';
import type { PriorState } from '../reader/load-states.js';
import { startsOnRead } from '../reader/next-read.js';

interface RemovedWay {
  readonly split: Uid;
  readonly way: string;
}

/** What the migration into a version does to the state of one user (S28). */
export interface MigrationImpact {
  /** Whether there was a state to migrate. */
  readonly met: boolean;
  readonly restarted: boolean;
  readonly stopped: boolean;
  readonly finished: boolean;
  /** Blocks that the user was in and that are no longer there. */
  readonly lost: readonly Uid[];
  readonly gates: readonly Uid[];
  /** Ways that were taken through splits that no longer have them (K2). */
  readonly ways: readonly RemovedWay[];
  /** Delays that wait as long as they did before (Z4). */
  readonly waiting: readonly Uid[];
  readonly effects: readonly Effect[];
}

/** What happens to one user: by the migration, and by who is let in (S8). */
export interface UserImpact {
  readonly ofMigration: MigrationImpact;
  readonly entry: 'enter' | 'leave' | null;
}

/** Where a user is. */
export interface UserPlace {
  /** In the highest version that they met. */
  readonly met: PriorState | null;
  /** What readers of `latest` find now, where that is not the highest commit. */
  readonly found?: PriorState | null;
}

/** What impacts depend on beside the migration. */
interface Question {
  /** What `latest` is now; null before the first commit. */
  readonly present: ResolvedFlow | null;
  /** Whether it matters who would enter. */
  readonly entries: boolean;
}

/** What the real engine does to a user in this context. */
export function evaluate(
  { entries, present }: Question,
  planned: ResolvedFlow,
  { met, found = met }: UserPlace,
  context: Context,
): UserImpact {
  const ofMigration = evaluateMigration(planned, met, context);
  if (!entries) return { ofMigration, entry: null };
  const then = startsOnRead(planned, storedIn(planned, met), context);
  const now = present !== null && startsOnRead(present, storedIn(present, found), context);
  if (then === now) return { ofMigration, entry: null };
  return { ofMigration, entry: then ? 'enter' : 'leave' };
}

/**
 * Whether it matters which of several groups the application names; a single one is meant anyway
 * (S33).
 */
export function dependsOnGroup(
  question: Question,
  planned: ResolvedFlow,
  place: UserPlace,
  context: Context,
): boolean {
  const { groups = [] } = context;
  const asks =
    planned.compiled.mentionsGroup ||
    (question.entries && question.present?.compiled.mentionsGroup === true);
  if (groups.length < 2 || !asks) return false;
  const impacts = [context, ...groups.map((group) => ({ ...context, group }))].map((one) =>
    evaluate(question, planned, place, one),
  );
  return new Set(impacts.map((impact) => JSON.stringify(impact))).size > 1;
}

/** A state as reads and commands of a flow take it, as if the flow had not been edited since. */
export function storedIn(
  { edition }: ResolvedFlow,
  prior: PriorState | null | undefined,
): StoredState | null {
  return prior ? { ...prior, revision: 1, edition, recentKeys: [] } : null;
}

const NOTHING: MigrationImpact = {
  met: false,
  restarted: false,
  stopped: false,
  finished: false,
  lost: [],
  gates: [],
  ways: [],
  waiting: [],
  effects: [],
};

function evaluateMigration(
  planned: ResolvedFlow,
  met: PriorState | null,
  context: Context,
): MigrationImpact {
  if (!met || isEmptyState(met.state)) return NOTHING;
  const read = { kind: 'read', starts: false } as const;
  const { state, events, effects } = advance(planned, storedIn(planned, met), read, context);
  const changes = events.flatMap((event) => event.changes);
  return {
    met: true,
    restarted: changes.some(isRestart),
    stopped: isRunning(met.state) && state.stopped,
    finished: !met.state.finished && state.finished,
    lost: findLost(planned.compiled, met.state),
    gates: changes.flatMap((change) => (change.kind === 'passed' ? change.gate : [])),
    ways: findRemovedWays(planned.compiled, met.state),
    waiting: findWaiting(met.state, state),
    effects: effects.map(({ effect }) => effect),
  };
}

/** Carry-over sets all three flags; a start sets only `started`. */
const isRestart = (change: Change): boolean =>
  change.kind === 'flow' && change.started === true && change.stopped === undefined;

function findLost({ byUid }: CompiledFlow, { blocks, waiting = {} }: FlowState): Uid[] {
  const isShown = (uid: Uid): boolean => 'names' in (byUid.get(uid) ?? {});
  return [
    ...Object.keys(blocks).filter((uid) => blocks[uid]!.active && !isShown(uid)),
    ...Object.keys(waiting).filter((uid) => byUid.get(uid)?.kind !== 'delay'),
  ];
}

function findWaiting(before: FlowState, after: FlowState): Uid[] {
  return Object.entries(waitingOf(after)).flatMap(([uid, until]) =>
    waitsUntil(before, uid) === until ? uid : [],
  );
}

function findRemovedWays({ byUid, hasSplit }: CompiledFlow, { blocks }: FlowState): RemovedWay[] {
  if (!hasSplit) return [];
  return Object.entries(blocks).flatMap(([split, { transitioned = [] }]) => {
    const block = byUid.get(split);
    if (block?.kind !== 'split') return [];
    const kept = new Set(block.ways.map(({ name }) => name));
    return transitioned.filter((way) => !kept.has(way)).map((way) => ({ split, way }));
  });
}
