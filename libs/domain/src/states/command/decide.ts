import {
  checkNames,
  type Context,
  type FlowState,
  insertedValues,
  type InsertedValues,
  isKnownState,
  mayStart,
  needsContext,
} from '../../engine/index.js';
import { DomainError, invalidRequest } from '../../database/errors/index.js';
import { newerFlow } from '../../flows/versions/unknown.js';
import type { ResolvedFlow } from '../../flows/catalogue/resolved-flow.js';
import type { ContextNeed, Found, StoredState } from '../read/flow-state-reader.js';
import type { FlowWait } from '../state/flow-view.js';
import type { GroupHistory } from '../read/group-history.js';
import type { AttentionSnapshot } from '../attention/attention-snapshot.js';
import { advance, isLooking, type Operation } from './advance.js';
import { isKnownKey, rememberKey } from './recent-keys.js';
import type { StateOwner } from './state-owner.js';
import type { NextState } from './state-write.js';

export interface CommandResult {
  /** What was run on; newer than the requested one when version 0 had just been edited. */
  readonly flow: ResolvedFlow;
  readonly state: FlowState;
  /** 0 for a user without a state. */
  readonly revision: number;
  /** Whether anything took effect, the migration before the command included (B9). */
  readonly tookEffect: boolean;
  /** Of a flow that would have started by itself (Q5). */
  readonly waits?: FlowWait;
  /** What texts of the flow show of the user, where they do and it was read (Z5). */
  readonly inserted?: InsertedValues;
}

/** What follows from a command: the answer, and what has to be written before it is given. */
export interface Decision {
  readonly result: CommandResult;
  /** Null where nothing has to be written. */
  readonly next: NextState | null;
}

export interface Run {
  readonly owner: StateOwner;
  readonly asked: Operation;
  readonly key: string | undefined;
  readonly keepsBefore?: boolean;
  /** Until when it tries to get past others, as `performance.now()` has it. */
  readonly until: number;
  /** Flows with a group that the same request reads. */
  readonly flows?: readonly string[];
  /** The state of the user in attention groups, as far as it was read. */
  attention?: Map<string, AttentionSnapshot>;
  /**
   * What happened in groups of flows that the same request reads, and that may have to wait (P19).
   */
  histories?: ReadonlyMap<string, GroupHistory>;
}

export const WITHOUT_START: Operation = { kind: 'read', starts: false };

/**
 * For flows without conditions: no expression can look at it, dates look at the time alone (Z8).
 */
const NO_CONTEXT: Omit<Context, 'now'> = Object.freeze({
  user: { identifier: '', properties: {}, createdAt: 0, updatedAt: 0 },
  group: null,
});

/**
 * Throws `block.unknown`, `request.invalid` for names that the block does not have (S13), and
 * `flow.newer` for a state that a newer release wrote (R17).
 */
export function decide(
  { owner, asked, key, keepsBefore }: Run,
  flow: ResolvedFlow,
  { stored, now, context }: Found,
): Decision {
  if (stored && !isKnownState(stored.state)) throw newerFlow(flow.flow, stored.version);
  refuseUnknownNames(flow, asked);
  const recentKeys = stored?.version === flow.version ? stored.recentKeys : [];
  if (stored && isKnownKey(recentKeys, key)) {
    const { state, revision } = stored;
    return { result: { flow, state, revision, tookEffect: true }, next: null };
  }
  const seen = contextOf(flow, owner, { now, context });
  const next = advance(flow, stored, asked, seen, keepsBefore);
  const { state, revisionBefore, events } = next;
  const tookEffect = events.length > 0;
  const { inserted } = flow.compiled;
  const result = {
    ...{ flow, state, revision: revisionBefore + events.length, tookEffect },
    ...(inserted.length > 0 &&
      context && { inserted: insertedValues(inserted, context.user.properties) }),
  };
  if (!tookEffect) return { result, next: null };
  const isCounted = asked.kind !== 'read' && asked.kind !== 'continue';
  const keys = isCounted ? rememberKey(recentKeys, key) : recentKeys;
  return { result, next: { ...next, recentKeys: keys, ...sourceOf(flow, stored) } };
}

/** The state that was carried over, where one of its delays may end at the same time (ADR 91). */
function sourceOf(
  { version }: ResolvedFlow,
  stored: StoredState | null,
): Pick<NextState, 'source'> {
  if (!stored?.state.waiting || stored.version === version) return {};
  return { source: { version: stored.version, revision: stored.revision } };
}

/** The answer to who has no state in a flow and reads it, but may not start it yet. */
export function decideToWait(
  run: Run,
  flow: ResolvedFlow,
  found: Found,
  waits: FlowWait,
): Decision {
  const { result } = decide({ ...run, asked: WITHOUT_START }, flow, found);
  const isHeld = mayStart(flow.compiled, result.state, contextOf(flow, run.owner, found), false);
  return { result: isHeld ? { ...result, waits } : result, next: null };
}

/** Whether version 0 was edited and used since this process last looked. */
export function isNewer({ stored }: Found, { version, edition }: ResolvedFlow): boolean {
  return stored !== null && stored.version === version && stored.edition > edition;
}

export function contextNeedOf(asked: Operation, flow: ResolvedFlow): ContextNeed {
  const { compiled } = flow;
  // Fitting a restored state to an edit decides branches, as any command may.
  if (asked.kind === 'restore')
    return needsContext(compiled, { kind: 'stop' }) ? 'always' : 'never';
  const isRead = asked.kind === 'read';
  if (isRead && compiled.inserted.length > 0) return 'always';
  if (!needsContext(compiled, isRead ? 'read' : asked)) return 'never';
  if (!isRead) return 'always';
  return isLooking(asked, flow) ? 'when-running' : 'when-fresh';
}

/**
 * What the engine sees: ids for splits alone (K1), nothing of the user where no expression can look
 * at it.
 */
function contextOf(
  { compiled }: ResolvedFlow,
  { userId, groupId, groupIdentifier }: StateOwner,
  { now, context }: Pick<Found, 'now' | 'context'>,
): Context {
  const seen = context ? withGroup(context, groupIdentifier) : { ...NO_CONTEXT, now };
  return compiled.hasSplit ? { ...seen, userId, groupId } : seen;
}

/** A group that was never identified is known by its identifier alone (B3). */
function withGroup(context: Context, identifier: string | null): Context {
  if (context.group || identifier === null) return context;
  return { ...context, group: { identifier, properties: {}, createdAt: null, updatedAt: null } };
}

function refuseUnknownNames({ compiled, flow, version }: ResolvedFlow, asked: Operation): void {
  if (asked.kind !== 'transition') return;
  const block = compiled.byUid.get(asked.block);
  if (!block || !('names' in block))
    throw new DomainError(
      'block.unknown',
      `version ${version} of flow ${flow} has no block ${asked.block} any more`,
    );
  const checked = checkNames(block, asked.names);
  if ('problem' in checked) throw invalidRequest(checked.problem);
}
