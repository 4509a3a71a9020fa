import { setTimeout as pause } from 'node:timers/promises';
import { isLockedOut, mayHaveCommitted } from '../../database/database-failure.js';
import type { BatchLimits } from '../../database/batcher.js';
import type { Database } from '../../database/database.js';
import { checkNames, type Context, type FlowState, isActive, needsContext } from '../../engine/index.js';
import { DomainError, invalidRequest } from '../../errors/index.js';
import type { FlowCatalogue } from '../../flows/catalogue/flow-catalogue.js';
import type { ResolvedFlow } from '../../flows/catalogue/resolved-flow.js';
import { unknownUser } from '../../users/unknown-user.js';
import { groupId, userId } from '../../users/subject-id.js';
import { advance, type Asked } from './advance.js';
import type { EventOrigin } from '../state/flow-event-row.js';
import { type Found, FlowStateReader, type ContextNeed } from '../read/flow-state-reader.js';
import { FlowStateStore, type NextState, type StateOwner } from './flow-state-store.js';
import { isKnownKey, rememberKey } from './recent-keys.js';
import type { RequestTrace } from '../state/request-trace.js';
import type { StateChanges } from '../state/state-changes.js';

/** Who asks: a user of an environment, in a group or none. */
export interface Actor {
  readonly environmentId: string;
  readonly user: string;
  readonly group?: string;
}

export interface CommandOptions {
  /** Known among the last 32 accepted ones: no effect, answered as the first time (B11). */
  readonly idempotencyKey?: string;
  /** Links of the trigger chain that led here, 0 for a request of a client (S19). */
  readonly chain?: number;
  /** Which request it is, for webhooks that come of it (S19). */
  readonly trace?: RequestTrace;
  /** That it is the operator who asks, which the event tells (E5). */
  readonly byOperator?: boolean;
  /** Stands in the last event as a key would, without being one: by it a run knows its own events (I6). */
  readonly mark?: string;
  /** Whether the last event keeps the state from before, so that what is asked can be taken back (I6). */
  readonly keepsBefore?: boolean;
}

export interface CommandResult {
  /** What was run on; newer than what was asked for when version 0 had been edited meanwhile. */
  readonly flow: ResolvedFlow;
  readonly state: FlowState;
  /** 0 for a user without a state. */
  readonly revision: number;
  /** Whether anything took effect, the migration before the command included (B9). */
  readonly tookEffect: boolean;
}

interface Run {
  readonly owner: StateOwner;
  readonly asked: Asked;
  readonly key: string | undefined;
  readonly keepsBefore?: boolean;
  /** Until when it tries to get past others' locks, as `performance.now()` has it. */
  readonly until: number;
}

/** How often a command tries to win against others on the same state; a replica that is slower than all others needs it. */
const ATTEMPTS = 64;
const LONGEST_PAUSE_MS = 40;
/** A request is answered after 2.2 s at the latest. */
const LOCK_PATIENCE_MS = 1_500;

/** Asks for nothing but whether the user exists. */
const NO_FLOW = { flow: '', version: 0, edition: 0 };

/** For flows without conditions: no expression can look at it. */
const NO_CONTEXT: Context = Object.freeze({
  now: 0,
  user: { identifier: '', properties: {}, createdAt: 0, updatedAt: 0 },
  group: null,
});

/**
 * The one use case: reads a state, asks the engine, writes what follows if the state is still the one that was read, and
 * starts over otherwise. No lock is held and no transaction is open while it computes, and no command is lost (S32).
 */
export class RunCommand {
  private readonly reader: FlowStateReader;
  private readonly store: FlowStateStore;
  private readonly effectListeners: (() => void)[] = [];

  constructor(
    database: Database,
    private readonly catalogue: FlowCatalogue,
    private readonly changes: StateChanges,
    limits: Partial<BatchLimits> = {},
  ) {
    this.reader = new FlowStateReader(database, limits);
    this.store = new FlowStateStore(database);
  }

  /**
   * Committed when it returns. Throws `user.unknown` (B3), `request.invalid` for names that the block does not have
   * (S13), `service.overloaded` when too many others write the same state.
   */
  async run(flow: ResolvedFlow, actor: Actor, asked: Asked, options: CommandOptions = {}): Promise<CommandResult> {
    const { idempotencyKey: key, keepsBefore } = options;
    const until = performance.now() + LOCK_PATIENCE_MS;
    const run = { owner: ownerOf(actor, asked, options), asked, key, keepsBefore, until };
    let current = flow;
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const found = await this.find(run, current);
      if (!found) throw unknownUser(actor.user);
      if (isNewer(found, current)) current = await this.renew(current);
      else {
        const result = await this.attempt(run, current, found);
        if (result) return result;
        await pause(Math.random() * Math.min(2 ** attempt, LONGEST_PAUSE_MS));
      }
    }
    throw new DomainError('service.overloaded', 'too many commands for the same user and flow at once, please try again');
  }

  /**
   * Reads flows as reads of each would, in their order: all states with one statement, then a commit for each that starts or
   * migrates (B13, S8). Throws as `run` does, `user.unknown` also where no flow is asked for.
   */
  async readAll(flows: readonly ResolvedFlow[], actor: Actor, options: CommandOptions = {}): Promise<CommandResult[]> {
    const asked = { kind: 'read', starts: true } as const;
    const run = { owner: ownerOf(actor, asked, options), asked, key: undefined, until: performance.now() + LOCK_PATIENCE_MS };
    const { userId, groupId } = run.owner;
    const queries = flows.map((flow) => ({ userId, groupId, flow, looks: contextNeedOf(run.asked, flow) }));
    const all = await this.reader.findAll(queries.length > 0 ? queries : [{ userId, groupId, flow: NO_FLOW, looks: 'never' }]);
    if (all.includes(undefined)) throw unknownUser(actor.user);
    const results: CommandResult[] = [];
    for (const [index, flow] of flows.entries()) {
      const found = all[index]!;
      results.push((await this.finish(run, flow, found)) ?? (await this.run(flow, actor, asked, options)));
    }
    return results;
  }

  /** Calls back after a commit that left effects to carry out. */
  onEffects(listener: () => void): void {
    this.effectListeners.push(listener);
  }

  /** Continues with what was found; null where that is no longer of use and everything has to start over. */
  private async finish(run: Run, flow: ResolvedFlow, found: Found): Promise<CommandResult | null> {
    return isNewer(found, flow) ? null : this.attempt(run, flow, found);
  }

  private find({ owner: { userId, groupId }, asked }: Run, flow: ResolvedFlow): Promise<Found | undefined> {
    return this.reader.find({ userId, groupId, flow, looks: contextNeedOf(asked, flow) });
  }

  /** Version 0 was edited and used since this process last looked. */
  private async renew({ flow, version }: ResolvedFlow): Promise<ResolvedFlow> {
    await this.catalogue.refresh();
    return this.catalogue.getKnownFlow(flow, version);
  }

  /** Null when somebody else was faster. */
  private async attempt(run: Run, flow: ResolvedFlow, found: Found): Promise<CommandResult | null> {
    const { owner, asked, key, keepsBefore } = run;
    refuseUnknownNames(flow, asked);
    const { stored, context } = found;
    const recentKeys = stored?.version === flow.version ? stored.recentKeys : [];
    if (stored && isKnownKey(recentKeys, key)) return { flow, state: stored.state, revision: stored.revision, tookEffect: true };
    const seen = context ? withGroup(context, owner.groupIdentifier) : NO_CONTEXT;
    const next = advance(flow, stored, asked, seen, keepsBefore);
    const revision = next.revisionBefore + next.events.length;
    const tookEffect = next.events.length > 0;
    if (tookEffect) {
      const keys = asked.kind === 'read' ? recentKeys : rememberKey(recentKeys, key);
      if (!(await this.write(run, flow, { ...next, recentKeys: keys }))) return null;
      this.announce(owner, flow, revision);
    } else this.announceUnchanged(owner, flow, asked, next.state);
    if (next.effects.length > 0) for (const listener of this.effectListeners) listener();
    return { flow, state: next.state, revision, tookEffect };
  }

  /** Whether nobody else was faster: a write that waited for a lock in vain, or was the victim of a deadlock, is a lost race. */
  private async write({ owner, until }: Run, flow: ResolvedFlow, next: NextState): Promise<boolean> {
    try {
      return await this.store.write(owner, flow, next);
    } catch (error) {
      if (isLockedOut(error) && performance.now() <= until) return false;
      // Without an answer nobody knows whether it was committed: watchers look.
      if (mayHaveCommitted(error)) this.announce(owner, flow, next.revisionBefore + next.events.length);
      throw error;
    }
  }

  private announce({ userId }: StateOwner, { flow, version }: ResolvedFlow, revision: number): void {
    this.changes.announce({ userId, flow, version, revision });
  }

  /**
   * An inactive block looks as a page that took it away too early believes already; to show it again would only make a
   * page that tries after each push try for ever (L6).
   */
  private announceUnchanged({ userId }: StateOwner, { flow, version }: ResolvedFlow, asked: Asked, state: FlowState): void {
    if (asked.kind !== 'transition' || !isActive(state, asked.block)) return;
    this.changes.announce({ userId, flow, version, block: asked.block });
  }
}

function ownerOf({ environmentId, user, group }: Actor, asked: Asked, options: CommandOptions): StateOwner {
  const { idempotencyKey, mark, chain = 0, trace } = options;
  return {
    userId: userId(environmentId, user),
    groupId: group === undefined ? null : groupId(environmentId, group),
    groupIdentifier: group ?? null,
    idempotencyKey: idempotencyKey ?? mark ?? null,
    origin: originOf(asked, options),
    chain,
    trace: trace ?? null,
  };
}

function originOf(asked: Asked, { chain = 0, byOperator = false }: CommandOptions): EventOrigin {
  if (byOperator) return 'operator';
  if (chain > 0) return 'trigger';
  return asked.kind === 'read' ? 'read' : 'request';
}

/** A group that was never identified is known by its identifier alone (B3). */
function withGroup(context: Context, identifier: string | null): Context {
  if (context.group || identifier === null) return context;
  return { ...context, group: { identifier, properties: {}, createdAt: null, updatedAt: null } };
}

function contextNeedOf(asked: Asked, { compiled }: ResolvedFlow): ContextNeed {
  // Fitting a restored state to an edit decides branches, as any command may.
  if (asked.kind === 'restore') return needsContext(compiled, { kind: 'stop' }) ? 'always' : 'never';
  const isRead = asked.kind === 'read';
  if (!needsContext(compiled, isRead ? 'read' : asked)) return 'never';
  return isRead ? 'when-fresh' : 'always';
}

function isNewer({ stored }: Found, { version, edition }: ResolvedFlow): boolean {
  return stored !== null && stored.version === version && stored.edition > edition;
}

function refuseUnknownNames({ compiled, flow, version }: ResolvedFlow, asked: Asked): void {
  if (asked.kind !== 'transition') return;
  const block = compiled.byUid.get(asked.block);
  if (!block || !('names' in block))
    throw new DomainError('block.unknown', `version ${version} of flow ${flow} has no block ${asked.block} any more`);
  const checked = checkNames(block, asked.names);
  if ('problem' in checked) throw invalidRequest(checked.problem);
}
