import type { Format, Uid } from '../definition/definition.js';
import { EngineError } from '../definition/engine-error.js';
import type { Change } from './event.js';
import { blockState, gateState, isEmptyState, waitsUntil } from './inspect-state.js';
import {
  type BlockState,
  EMPTY_STATE,
  type FlowState,
  type GateState,
  type Waiting,
} from './state.js';

function unknownChange(change: never): EngineError {
  const { kind } = change as Change;
  return new EngineError('engine.unknown-format', `cannot apply a change of the kind ${kind}`);
}

/**
 * A state under construction. `apply` is the one reducer behind single changes, steps and folds, so
 * that folding what a step recorded gives exactly what it returned (S6). The state passed in is
 * never written.
 */
export class StateDraft implements FlowState {
  started = false;
  stopped = false;
  finished = false;
  blocks: Readonly<Record<Uid, BlockState>> = EMPTY_STATE.blocks;
  gates: Readonly<Record<Uid, GateState>> = EMPTY_STATE.gates;
  waiting: Waiting | undefined = undefined;
  /** Our own copies of `blocks` and `gates`; null until they are first written. */
  #blocks: Record<Uid, BlockState> | null = null;
  #gates: Record<Uid, GateState> | null = null;
  #changed = false;

  constructor(readonly base: FlowState) {
    this.#take(base);
  }

  get format(): Format {
    return this.waiting ? 2 : 1;
  }

  /** The state as plain JSON; the very object passed in when nothing changed. */
  toState(): FlowState {
    if (!this.#changed) return this.base;
    const { format, started, stopped, finished, blocks, gates, waiting } = this;
    return { format, started, stopped, finished, blocks, gates, ...(waiting && { waiting }) };
  }

  apply(change: Change): void {
    switch (change.kind) {
      case 'cleared':
        return isEmptyState(this) ? undefined : this.#replace(EMPTY_STATE);
      case 'carried':
        return this.#replace(change.state);
      case 'flow':
        return this.#setFlags(change);
      case 'entered':
        return this.#setBlock(change.block, {
          ...blockState(this, change.block),
          active: true,
          entered: true,
        });
      case 'exited':
        return this.#setBlock(change.block, {
          ...blockState(this, change.block),
          active: undefined,
          exited: true,
        });
      case 'deactivated':
        if (waitsUntil(this, change.block) !== undefined)
          return this.#setWaiting(change.block, undefined);
        return this.#setBlock(change.block, {
          ...blockState(this, change.block),
          active: undefined,
        });
      case 'transitioned':
        return this.#addName(change.block, change.name);
      case 'waiting':
        return this.#setWaiting(change.block, change.until);
      case 'waited':
        return this.#setWaiting(change.block, undefined);
      case 'received':
        return this.#addInput(change.gate, change.from);
      case 'passed':
        return this.#setGate(change.gate, []);
      case 'dropped':
        return this.#drop(change.block);
      case 'dropped-name':
        return this.#dropName(change.block, change.name);
      case 'dropped-input':
        return this.#dropInput(change.gate, change.from);
      case 'branched':
      case 'effected':
        return;
      default:
        throw unknownChange(change);
    }
  }

  /** Field by field, since every step begins with it and `Object.assign` is slower. */
  #take({ started, stopped, finished, blocks, gates, waiting }: FlowState): void {
    this.started = started;
    this.stopped = stopped;
    this.finished = finished;
    this.blocks = blocks;
    this.gates = gates;
    this.waiting = waiting;
  }

  #replace(state: FlowState): void {
    this.#take(state);
    this.#blocks = null;
    this.#gates = null;
    this.#changed = true;
  }

  #setFlags({
    started = this.started,
    stopped = this.stopped,
    finished = this.finished,
  }: Partial<FlowState>): void {
    if (started === this.started && stopped === this.stopped && finished === this.finished) return;
    Object.assign(this, { started, stopped, finished });
    this.#changed = true;
  }

  /** Writes only what is true: a block without anything true is absent (S5). */
  #setBlock(uid: Uid, { active, entered, exited, transitioned }: BlockState): void {
    const next: { -readonly [K in keyof BlockState]: BlockState[K] } = {};
    if (active) next.active = true;
    if (entered) next.entered = true;
    if (exited) next.exited = true;
    if (transitioned?.length) next.transitioned = transitioned;
    this.#blocks ??= { ...this.blocks };
    this.blocks = this.#blocks;
    this.#changed = true;
    if (Object.keys(next).length > 0) this.#blocks[uid] = next;
    else delete this.#blocks[uid];
  }

  #setGate(uid: Uid, received: GateState): void {
    this.#gates ??= { ...this.gates };
    this.gates = this.#gates;
    this.#changed = true;
    if (received.length > 0) this.#gates[uid] = received;
    else delete this.#gates[uid];
  }

  /** Without a time it waits no longer. */
  #setWaiting(uid: Uid, until: number | undefined): void {
    if (waitsUntil(this, uid) === until) return;
    const { [uid]: _, ...others } = this.waiting ?? {};
    const next = until === undefined ? others : { ...others, [uid]: until };
    this.waiting = Object.keys(next).length > 0 ? next : undefined;
    this.#changed = true;
  }

  #addName(uid: Uid, name: string): void {
    const before = blockState(this, uid);
    const taken = before.transitioned ?? [];
    if (!taken.includes(name)) this.#setBlock(uid, { ...before, transitioned: [...taken, name] });
  }

  #addInput(gate: Uid, from: Uid): void {
    const received = gateState(this, gate);
    if (!received.includes(from)) this.#setGate(gate, [...received, from]);
  }

  #drop(uid: Uid): void {
    if (Object.hasOwn(this.blocks, uid)) this.#setBlock(uid, {});
    if (Object.hasOwn(this.gates, uid)) this.#setGate(uid, []);
    this.#setWaiting(uid, undefined);
  }

  #dropName(uid: Uid, name: string): void {
    const before = blockState(this, uid);
    this.#setBlock(uid, {
      ...before,
      transitioned: before.transitioned?.filter((taken) => taken !== name),
    });
  }

  #dropInput(gate: Uid, from: Uid): void {
    const received = gateState(this, gate);
    this.#setGate(
      gate,
      received.filter((input) => input !== from),
    );
  }
}
