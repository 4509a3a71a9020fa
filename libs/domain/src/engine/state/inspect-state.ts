import { isKnownFormat, type Uid } from '../definition/definition.js';
import type { BlockState, FlowState, GateState, Waiting } from './state.js';

/** Started, neither stopped nor finished: the only time at which blocks move (S12). */
export function isRunning(state: FlowState): boolean {
  return state.started && !state.stopped && !state.finished;
}

/** None of started, stopped, finished: the only time at which a flow can be started (S8, S9). */
export function isUntouched(state: FlowState): boolean {
  return !state.started && !state.stopped && !state.finished;
}

/** Everything false: looks like no state (S5). */
export function isEmptyState(state: FlowState): boolean {
  return isUntouched(state) && !hasAny(state.blocks) && !hasAny(state.gates) && !state.waiting;
}

/**
 * Whether this version understands the whole of a stored state, which a newer release may have
 * written (R17).
 */
export function isKnownState({ format }: { readonly format: number }): boolean {
  return isKnownFormat(format);
}

/** Whether two states are equal, in whatever order they were written. */
export function isSameState(a: FlowState, b: FlowState): boolean {
  return a === b || textOf(a) === textOf(b);
}

/** What is known of a block or item; an empty object when nothing is. */
export function blockState(state: FlowState, uid: Uid): BlockState {
  return (Object.hasOwn(state.blocks, uid) && state.blocks[uid]) || NOTHING;
}

/** What a gate has received; an empty list when nothing (S16). */
export function gateState(state: FlowState, uid: Uid): GateState {
  return (Object.hasOwn(state.gates, uid) && state.gates[uid]) || NO_INPUTS;
}

export function isActive(state: FlowState, uid: Uid): boolean {
  return blockState(state, uid).active === true;
}

/** The delays that wait, and until when (Z4). */
export function waitingOf(state: FlowState): Waiting {
  return state.waiting ?? NONE;
}

/** Until when a delay waits; undefined for one that does not (Z4). */
export function waitsUntil({ waiting }: FlowState, uid: Uid): number | undefined {
  return waiting && Object.hasOwn(waiting, uid) ? waiting[uid] : undefined;
}

/**
 * Whether anything can still happen: a block is active, or a delay waits; reads what the user
 * touched, never the definition (S18).
 */
export function canGoOn(state: FlowState): boolean {
  if (state.waiting) return true;
  for (const uid in state.blocks) if (state.blocks[uid]?.active) return true;
  return false;
}

const NOTHING: BlockState = Object.freeze({});
const NONE: Waiting = Object.freeze({});
const NO_INPUTS: GateState = Object.freeze([]);

function hasAny(record: object): boolean {
  for (const _ in record) return true;
  return false;
}

function textOf(state: FlowState): string {
  const { started, stopped, finished, blocks, gates } = state;
  const known = sorted(blocks).map(([uid, block]) => {
    const { active = false, entered = false, exited = false, transitioned = [] } = block;
    return [uid, active, entered, exited, transitioned.toSorted()];
  });
  return JSON.stringify([
    started,
    stopped,
    finished,
    known,
    sorted(gates).map(([uid, from]) => [uid, from.toSorted()]),
    sorted(waitingOf(state)),
  ]);
}

const sorted = <Value>(record: Readonly<Record<Uid, Value>>): [Uid, Value][] =>
  Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
