import type { Block, Context, Effect, FlowDefinition, Item, Path } from '@waymark/domain/engine';
import { inputsOf, isContainer, isExposed } from './inspect-definition.js';
import { holds } from './reference-conditions.js';
import type { ReferenceState } from './reference-state.js';
import { referenceWay } from './reference-way.js';

/** Thrown by a finish, since the walk ends there, however deep it is (S17). */
class WalkEnded extends Error {}

/**
 * The walk of one step, written as the rules are, without a thought for speed: it looks everything
 * up in the definition each time. The engine is tested against it.
 */
export class ReferenceWalk {
  readonly effects: Effect[] = [];
  private readonly followed = new Set<string>();
  private readonly acted = new Set<string>();

  constructor(
    readonly definition: FlowDefinition,
    readonly state: ReferenceState,
    readonly context: Context,
  ) {}

  /** Runs a part of the walk, which ends early where a finish is reached (S17). */
  run(part: () => void): void {
    try {
      part();
    } catch (end) {
      if (!(end instanceof WalkEnded)) throw end;
    }
  }

  /**
   * Clears and enters everything behind the start, for any user (S9, S27, S28). Ways of splits stay
   * (K1).
   */
  restart(): void {
    const ways = this.waysTaken();
    this.state.clear();
    for (const [uid, way] of ways) this.state.transitioned.set(uid, new Set([way]));
    this.state.started = true;
    this.run(() => this.definition.start.forEach((to, index) => this.follow('start', index, to)));
    this.finishIfOver();
  }

  /** K1: only a reset forgets them, which clears before it starts. */
  private waysTaken(): [uid: string, way: string][] {
    return this.definition.blocks.flatMap((block) => {
      const way = block.type === 'split' && this.wayTaken(block);
      return way ? [[block.uid, way] as [string, string]] : [];
    });
  }

  /** S11, S17 */
  finish(): void {
    this.state.finished = true;
    this.state.stopped = false;
    this.end();
  }

  /** S11: every block is inactive and every delay over. */
  end(): void {
    this.state.active.clear();
    this.state.waiting.clear();
  }

  /** S18 */
  finishIfOver(): void {
    if (this.state.isRunning && this.state.isOver) this.finish();
  }

  /** The paths of a block that are taken, in the order of the definition (S12). */
  followEach(block: Block, isTaken: (path: Path) => boolean): void {
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

  enterItem(item: Item): void {
    this.state.active.add(item.uid);
    this.state.entered.add(item.uid);
  }

  /** S15, S16, S19, S20 */
  private act(block: Block, from: string): void {
    if (block.type === 'gate') return this.reachGate(block, from);
    if (block.type === 'delay') return this.wait(block.uid, block.for);
    if (this.acted.has(block.uid)) return;
    this.acted.add(block.uid);
    if (block.type === 'branch') {
      const outcome = String(holds(block.when, this.definition, this.context));
      return this.followEach(block, ({ names }) => names.includes(outcome));
    }
    if (block.type === 'split') return this.split(block);
    this.effects.push(effectOf(block));
    this.followEach(block, () => true);
  }

  /** Z4, S20: one that waits stays as it is; one that just went on waits anew. */
  private wait(uid: string, time: number): void {
    if (!this.state.waiting.has(uid)) this.state.waiting.set(uid, this.context.now + time);
  }

  /** K1: the way taken before, else that of the user, or of the group that the request names. */
  private split(block: Extract<Block, { type: 'split' }>): void {
    const { userId, groupId } = this.context;
    const subject = block.by === 'group' ? (groupId ?? userId) : userId;
    const way = this.wayTaken(block) ?? referenceWay(block.uid, subject!, block.ways);
    this.state.transitioned.set(block.uid, new Set([way]));
    this.followEach(block, ({ names }) => names.includes(way));
  }

  private wayTaken({ uid, ways }: Extract<Block, { type: 'split' }>): string | undefined {
    return ways.find(({ name }) => this.state.transitioned.get(uid)?.has(name))?.name;
  }

  /** S16: what does not count as an input is not kept either. */
  private reachGate(gate: Block, from: string): void {
    if (inputsOf(this.definition, gate).includes(from)) {
      const received = this.state.received.get(gate.uid) ?? [];
      this.state.received.set(gate.uid, new Set([...received, from]));
    }
    this.passIfComplete(gate);
  }

  /** S16, S20 */
  passIfComplete(gate: Block): void {
    const received = this.state.received.get(gate.uid) ?? new Set();
    const isComplete = inputsOf(this.definition, gate).every((input) => received.has(input));
    if (this.acted.has(gate.uid) || !isComplete) return;
    this.acted.add(gate.uid);
    this.state.received.delete(gate.uid);
    this.followEach(gate, () => true);
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
