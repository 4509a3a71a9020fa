import type {
  Block,
  Command,
  Container,
  Context,
  Effect,
  FlowDefinition,
  FlowState,
  Item,
  Path,
} from '@waymark/domain/engine';
import { evaluateCondition, parseExpression } from '@waymark/domain/targeting';
import {
  findBlock,
  findItem,
  inputsOf,
  isContainer,
  isExposed,
  namesOf,
} from './inspect-definition.js';
import { ReferenceState } from './reference-state.js';

/** What the reference says about one step, to be held against the engine's `Step`. */
export interface ReferenceOutcome {
  readonly state: FlowState;
  readonly tookEffect: boolean;
  readonly effects: readonly Effect[];
}

/** Thrown by a finish, since the walk ends there, however deep it is (S17). */
class WalkEnded extends Error {}

/**
 * One step, written as the rules are, without a thought for speed: it looks everything up in the definition each time. The
 * engine is tested against it.
 */
export class ReferenceStep {
  readonly effects: Effect[] = [];
  private readonly followed = new Set<string>();
  private readonly acted = new Set<string>();

  constructor(
    readonly definition: FlowDefinition,
    readonly state: ReferenceState,
    readonly context: Context,
  ) {}

  /** Does what is asked; false when that has no effect (S6). */
  run(command: Command): boolean {
    switch (command.kind) {
      case 'start':
        return this.start(command.force);
      case 'reset':
        return this.reset(command.force);
      case 'stop':
        return this.stop();
      case 'finish':
        return this.finish();
      case 'transition':
        return this.transition(command.block, new Set(command.names));
    }
  }

  /** S9 */
  private start(force: boolean): boolean {
    const { started, stopped, finished } = this.state;
    if (started || stopped || finished || this.isPastEnd) return false;
    if (!force && !this.qualifies()) return false;
    this.restart();
    return true;
  }

  /** Z8 */
  get isPastEnd(): boolean {
    const { end } = this.definition;
    return end !== undefined && this.context.now >= new Date(end).getTime();
  }

  /** S7, Z8 */
  private qualifies(): boolean {
    const { target } = this.definition;
    const { now } = this.context;
    if (target.from !== undefined && now < new Date(target.from).getTime()) return false;
    if (target.until !== undefined && now >= new Date(target.until).getTime()) return false;
    if (target.users === 'all') return true;
    return target.users === 'matching' && holdsInAGroup(target.when, this.context);
  }

  /** S10 */
  private reset(force: boolean): boolean {
    const wasEmpty = this.state.isEmpty;
    this.state.clear();
    this.start(force);
    return !(wasEmpty && this.state.isEmpty);
  }

  /** Clears and starts for any user (S27, S28). */
  restart(): void {
    this.state.clear();
    this.state.started = true;
    this.walk(() => this.definition.start.forEach((to, index) => this.follow('start', index, to)));
    this.finishWithoutActiveBlock();
  }

  /** S11 */
  private stop(): boolean {
    if (this.state.stopped && !this.state.finished && this.state.active.size === 0) return false;
    this.state.stopped = true;
    this.state.finished = false;
    this.state.active.clear();
    return true;
  }

  /** S11 */
  private finish(): boolean {
    if (this.state.finished && !this.state.stopped && this.state.active.size === 0) return false;
    this.state.finished = true;
    this.state.stopped = false;
    this.state.active.clear();
    return true;
  }

  /** S12 */
  private transition(uid: string, names: Set<string>): boolean {
    if (!this.state.isRunning || !this.state.active.has(uid)) return false;
    const block = findBlock(this.definition, uid);
    const inside = findItem(this.definition, uid);
    if (block) this.walk(() => this.leave(block, names));
    else if (!inside || this.isBeforeFirst(inside.container, inside.item, names)) return false;
    else this.walk(() => this.leaveItem(inside.container, inside.item, names));
    this.finishWithoutActiveBlock();
    return true;
  }

  /** S22 */
  private isBeforeFirst(container: Container, item: Item, names: Set<string>): boolean {
    return (
      container.type === 'tour' && names.has('previous') && container.items[0]?.uid === item.uid
    );
  }

  /** S12, S24 */
  leave(block: Block, names: Set<string>): void {
    this.exit(block.uid, names);
    if (isContainer(block)) for (const item of block.items) this.state.active.delete(item.uid);
    this.followNamed(block, (path) => path.names.some((name) => names.has(name)));
  }

  private exit(uid: string, names: Set<string>): void {
    this.state.active.delete(uid);
    this.state.exited.add(uid);
    const taken = namesOf(this.definition, uid).filter((name) => names.has(name));
    this.state.transitioned.set(
      uid,
      new Set([...(this.state.transitioned.get(uid) ?? []), ...taken]),
    );
  }

  /** S22, S23 */
  private leaveItem(container: Container, item: Item, names: Set<string>): void {
    this.exit(item.uid, names);
    if (container.type === 'tour') {
      const step = names.has('next') ? 1 : -1;
      const next = container.items[container.items.indexOf(item) + step];
      if (next) this.enterItem(next);
      else this.leave(container, new Set(['complete']));
    } else if (this.areItemsDone(container)) this.leave(container, new Set(['complete']));
  }

  /** Whether every item of a checklist or of hints took one of its names (S23). */
  areItemsDone(container: Container): boolean {
    return container.items.every((item) => (this.state.transitioned.get(item.uid)?.size ?? 0) > 0);
  }

  enterItem(item: Item): void {
    this.state.active.add(item.uid);
    this.state.entered.add(item.uid);
  }

  /** Runs a part of the walk, which ends early where a finish is reached (S17). */
  walk(part: () => void): void {
    try {
      part();
    } catch (end) {
      if (!(end instanceof WalkEnded)) throw end;
    }
  }

  private followNamed(block: Block, isTaken: (path: Path) => boolean): void {
    for (const [index, path] of block.paths.entries())
      if (isTaken(path)) this.follow(block.uid, index, path.to);
  }

  /** S17, S20 */
  private follow(from: string, index: number, to: string): void {
    const path = `${from} ${index}`;
    if (this.followed.has(path)) return;
    this.followed.add(path);
    if (to === 'finish') {
      this.finish();
      throw new WalkEnded();
    }
    const block = this.definition.blocks.find(({ id }) => id === to);
    if (!block) throw new Error(`a path leads to ${to}, which is no block`);
    if (isExposed(block)) this.enter(block);
    else this.act(block, from);
  }

  /** S14, S21, S24 */
  private enter(block: Block): void {
    if (this.state.active.has(block.uid)) return;
    this.state.active.add(block.uid);
    this.state.entered.add(block.uid);
    if (!isContainer(block)) return;
    const items = block.items.map((item) => item.uid);
    this.state.forget((uid) => items.includes(uid));
    for (const item of block.type === 'tour' ? block.items.slice(0, 1) : block.items)
      this.enterItem(item);
  }

  /** S15, S16, S19, S20 */
  private act(block: Block, from: string): void {
    if (block.type === 'gate') return this.reachGate(block, from);
    if (this.acted.has(block.uid)) return;
    this.acted.add(block.uid);
    if (block.type === 'branch') {
      const outcome = String(holdsInAGroup(block.when, this.context));
      this.followNamed(block, (path) => path.names.includes(outcome));
      return;
    }
    this.effects.push(effectOf(block));
    this.followNamed(block, () => true);
  }

  /** S16: what does not count as an input is not kept either. */
  private reachGate(gate: Block, from: string): void {
    if (inputsOf(this.definition, gate).includes(from)) {
      this.state.received.set(
        gate.uid,
        new Set([...(this.state.received.get(gate.uid) ?? []), from]),
      );
    }
    this.passIfComplete(gate);
  }

  /** S16 */
  passIfComplete(gate: Block): void {
    const received = this.state.received.get(gate.uid) ?? new Set();
    if (
      this.acted.has(gate.uid) ||
      !inputsOf(this.definition, gate).every((input) => received.has(input))
    )
      return;
    this.acted.add(gate.uid);
    this.state.received.delete(gate.uid);
    this.followNamed(gate, () => true);
  }

  /** S18 */
  finishWithoutActiveBlock(): void {
    if (this.state.isRunning && this.state.active.size === 0) this.finish();
  }
}

/** S19 */
function effectOf(block: Block): Effect {
  const { uid } = block;
  if (block.type === 'flow-trigger')
    return {
      kind: 'flow-trigger',
      block: uid,
      flow: block.flow,
      intent: block.intent,
      version: block.version,
    };
  if (block.type !== 'webhook') throw new Error(`a ${block.type} has no effect outside`);
  const { url, headers, body } = block;
  return { kind: 'webhook', block: uid, url, headers, ...(body !== undefined && { body }) };
}

/** What a command does to a state, by the letter of the rules (S9 to S25). */
export function referenceStep(
  definition: FlowDefinition,
  state: FlowState,
  command: Command,
  context: Context,
): ReferenceOutcome {
  const step = new ReferenceStep(definition, ReferenceState.of(state), context);
  return step.run(command)
    ? { state: step.state.toFlowState(), tookEffect: true, effects: step.effects }
    : { state, tookEffect: false, effects: [] };
}

/** Without a named group, the user's groups are tried one after the other, each for the whole condition (S33). */
function holdsInAGroup(when: string, { now, user, group, groups = [] }: Context): boolean {
  const tried = group || groups.length === 0 ? [group] : groups;
  return tried.some((one) => evaluateCondition(parseExpression(when), { now, user, group: one }));
}
