import { setTimeout as pause } from 'node:timers/promises';
import type { BatchLimits } from '../../database/batcher.js';
import { isLockedOut, mayHaveCommitted } from '../../database/errors/database-failure.js';
import type { Database } from '../../database/database.js';
import { type FlowState, isActive } from '../../engine/index.js';
import { DomainError } from '../../database/errors/index.js';
import type { FlowCatalogue } from '../../flows/catalogue/flow-catalogue.js';
import {
  attentionOf,
  orderByPriority,
  type ResolvedFlow,
} from '../../flows/catalogue/resolved-flow.js';
import { unknownUser } from '../../users/identifier.js';
import { GroupHistories } from '../read/group-history.js';
import { type Found, FlowStateReader } from '../read/flow-state-reader.js';
import type { StateChanges } from '../state/state-changes.js';
import type { Operation } from './advance.js';
import { Attention } from './attend.js';
import {
  type CommandResult,
  contextNeedOf,
  decide,
  type Decision,
  isNewer,
  type Run,
} from './decide.js';
import { FlowStateStore } from './flow-state-store.js';
import { KeyedQueue } from './keyed-queue.js';
import { type Actor, type CommandOptions, ownerOf, type StateOwner } from './state-owner.js';
import { type NextState, stateWrite } from './state-write.js';
import { CarriedOver } from './write-in-steps.js';

export type { CommandResult } from './decide.js';
export type { Actor, CommandOptions } from './state-owner.js';

/** Attempts against others on the same state; a replica slower than all others needs many. */
const ATTEMPTS = 64;
const LONGEST_PAUSE_MS = 40;
/** A request is answered within 2.2 s, and begins nothing in the last third of them. */
const REQUEST_MS = 2_200;
const WORTH_TRYING = 0.7;

/** Asks for nothing but whether the user exists. */
const NO_FLOW = { flow: '', version: 0, edition: 0 };
const READ = { kind: 'read', starts: true } as const;

/**
 * The one use case: reads a state, asks the engine, writes what follows if the state is still the
 * one that was read, and starts over otherwise. No lock is held and no transaction is open while it
 * computes, and no command is lost (S32). Commands on one state take turns within a process; those
 * on different states share statements and commits.
 */
export class RunCommand {
  private readonly reader: FlowStateReader;
  private readonly store: FlowStateStore;
  private readonly histories: GroupHistories;
  private readonly attention: Attention;
  private readonly turns = new KeyedQueue();
  private readonly effectListeners: (() => void)[] = [];
  private readonly patienceMs: number;

  constructor(
    database: Database,
    private readonly catalogue: FlowCatalogue,
    private readonly changes: StateChanges,
    limits: Partial<BatchLimits> = {},
  ) {
    this.reader = new FlowStateReader(database, limits);
    this.store = new FlowStateStore(database);
    this.histories = new GroupHistories(database);
    this.attention = new Attention(database, catalogue);
    this.patienceMs = WORTH_TRYING * (limits.patienceMs ?? REQUEST_MS);
  }

  /**
   * Committed when it returns. Throws `user.unknown` (B3), `request.invalid` for names that the
   * block does not have (S13), `service.overloaded` when too many others write the same state, and
   * `CarriedOver` for delays that go on.
   */
  async run(
    flow: ResolvedFlow,
    actor: Actor,
    asked: Operation,
    options: CommandOptions = {},
  ): Promise<CommandResult> {
    const run = this.begin(actor, asked, options);
    if (asked.kind === 'read') {
      const result = await this.finishRead(run, flow, await this.find(run, flow, actor));
      if (result) return result;
    }
    return this.turns.run(keyOf(run, flow), () => this.takeTurn(run, flow, actor));
  }

  /**
   * Reads flows as reads of each would: all states with one statement, then what starts or
   * migrates, by priority (B13, Q5, S8). Null for a state that a newer release wrote (R17). Throws
   * as `run` does, `user.unknown` also where no flow is requested.
   */
  async readAll(
    flows: readonly ResolvedFlow[],
    actor: Actor,
    options: CommandOptions = {},
  ): Promise<(CommandResult | null)[]> {
    const names = flows.filter(attentionOf).map(({ flow }) => flow);
    const run: Run = { ...this.begin(actor, READ, options), flows: names };
    const { userId, groupId } = run.owner;
    const queries = flows.map((flow) => ({
      userId,
      groupId,
      flow,
      looks: contextNeedOf(READ, flow),
    }));
    const loading = this.reader.findAll(
      queries.length > 0 ? queries : [{ userId, groupId, flow: NO_FLOW, looks: 'never' }],
    );
    const [all, histories] = await this.histories.loadWith(userId, flows, loading);
    if (all.includes(undefined)) throw unknownUser(actor.user);
    run.histories = histories;
    const results = new Array<CommandResult | null>(flows.length);
    for (const index of orderByPriority(flows)) {
      const flow = flows[index]!;
      try {
        const read = this.finishRead(run, flow, all[index]!);
        results[index] =
          (isWaiting(read) ? await read : read) ?? (await this.run(flow, actor, READ, options));
      } catch (error) {
        results[index] = nullIfNewer(error);
      }
    }
    return results;
  }

  /** Calls back after a commit that left effects to carry out. */
  onEffects(listener: () => void): void {
    this.effectListeners.push(listener);
  }

  private begin(actor: Actor, asked: Operation, options: CommandOptions): Run {
    const { idempotencyKey: key, keepsBefore } = options;
    const until = performance.now() + this.patienceMs;
    return { owner: ownerOf(actor, asked, options), asked, key, keepsBefore, until };
  }

  /**
   * Null where everything has to start over. Most reads write nothing and wait for nothing, not
   * even a promise (P16).
   */
  private finishRead(
    run: Run,
    flow: ResolvedFlow,
    found: Found,
  ): CommandResult | null | Promise<CommandResult | null> {
    if (isNewer(found, flow)) return null;
    const decision = this.decide(run, flow, found);
    if (isWaiting(decision)) return decision.then((made) => this.finishDecided(run, flow, made));
    return decision.next ? this.finishDecided(run, flow, decision) : decision.result;
  }

  private async finishDecided(
    run: Run,
    flow: ResolvedFlow,
    decision: Decision,
  ): Promise<CommandResult | null> {
    if (!decision.next) return decision.result;
    const key = keyOf(run, flow);
    // In a turn that comes later, what was found would be out of date.
    if (!this.turns.isFree(key)) {
      delete run.attention;
      delete run.histories;
      return null;
    }
    return this.turns.run(key, () => this.settle(run, flow, decision, false));
  }

  /** Reads, decides and writes, again after each lost race. */
  private async takeTurn(run: Run, flow: ResolvedFlow, actor: Actor): Promise<CommandResult> {
    let current = flow;
    for (let attempt = 1; attempt <= ATTEMPTS && performance.now() < run.until; attempt++) {
      const found = await this.find(run, current, actor);
      if (isNewer(found, current)) current = await this.renew(current);
      else {
        const decision = await this.decide(run, current, found);
        const result = await this.settle(run, current, decision, attempt > 1);
        if (result) return result;
        await pause(Math.random() * Math.min(2 ** attempt, LONGEST_PAUSE_MS));
      }
    }
    throw new DomainError(
      'service.overloaded',
      'too many commands for the same user and flow at once, please try again',
    );
  }

  private decide(run: Run, flow: ResolvedFlow, found: Found): Decision | Promise<Decision> {
    const held = attentionOf(flow) && this.attention.hold(run, flow, found);
    if (held) return held;
    const decision = decide(run, flow, found);
    if (!decision.next || !attentionOf(flow)) return decision;
    return this.attention.consider(run, flow, found, decision);
  }

  private async find(
    { owner: { userId, groupId }, asked }: Run,
    flow: ResolvedFlow,
    { user }: Actor,
  ): Promise<Found> {
    const looks = contextNeedOf(asked, flow);
    const found = await this.reader.find({ userId, groupId, flow, looks });
    if (!found) throw unknownUser(user);
    return found;
  }

  private async renew({ flow, version }: ResolvedFlow): Promise<ResolvedFlow> {
    await this.catalogue.refresh();
    return this.catalogue.getKnownFlow(flow, version);
  }

  /** Null when another command changed the state first. */
  private async settle(
    run: Run,
    flow: ResolvedFlow,
    { result, next }: Decision,
    isAlone: boolean,
  ): Promise<CommandResult | null> {
    const { owner, asked } = run;
    if (!next) {
      if (!result.tookEffect) this.announceUnchanged(owner, flow, asked, result.state);
      return result;
    }
    if (!(await this.write(run, flow, next, isAlone))) {
      delete run.attention;
      delete run.histories;
      return null;
    }
    this.announce(owner, flow, result.revision);
    // The command took no effect, even if something else did.
    if (!next.events.some(({ cause }) => cause.kind === 'transition'))
      this.announceUnchanged(owner, flow, asked, result.state);
    if (next.effects.length > 0) for (const listener of this.effectListeners) listener();
    return result;
  }

  /**
   * Whether nobody else was faster: a write that waited for a lock in vain, or was the victim of a
   * deadlock, is a lost race.
   */
  private async write(
    { owner, until }: Run,
    flow: ResolvedFlow,
    next: NextState,
    isAlone: boolean,
  ): Promise<boolean> {
    const write = stateWrite(owner, flow, next);
    try {
      return await this.store.write(write, until, isAlone);
    } catch (error) {
      if (isLockedOut(error) && performance.now() <= until) return false;
      if (error instanceof CarriedOver) throw error;
      // Without an answer nobody knows whether it was committed: watchers look.
      if (mayHaveCommitted(error)) this.announce(owner, flow, write.after);
      throw error;
    }
  }

  private announce(
    { userId }: StateOwner,
    { flow, version }: ResolvedFlow,
    revision: number,
  ): void {
    this.changes.announce({ userId, flow, version, revision });
  }

  /**
   * Only of active blocks: a page that hid one too early needs it back; for an inactive one, pages
   * that retry would loop (L6).
   */
  private announceUnchanged(
    { userId }: StateOwner,
    { flow, version }: ResolvedFlow,
    asked: Operation,
    state: FlowState,
  ): void {
    if (asked.kind !== 'transition' || !isActive(state, asked.block)) return;
    this.changes.announce({ userId, flow, version, block: asked.block });
  }
}

const isWaiting = <Value>(value: Value | Promise<Value>): value is Promise<Value> =>
  value instanceof Promise;

function nullIfNewer(error: unknown): null {
  if (error instanceof DomainError && error.code === 'flow.newer') return null;
  throw error;
}

const keyOf = ({ owner: { userId } }: Run, { flow, version }: ResolvedFlow): string =>
  `${userId} ${flow} ${version}`;
