import { evaluateCondition } from '../../../targeting/index.js';
import type {
  CompiledBlock,
  CompiledBranch,
  CompiledDelay,
  CompiledEffect,
  CompiledPath,
  CompiledContainer,
  CompiledSplit,
  ExposedBlock,
} from '../../definition/compiled-flow.js';
import type { Uid } from '../../definition/definition.js';
import { chooseWay } from './choose-way.js';
import { arriveAtGate } from './gates.js';
import type { StepRecorder } from './step-recorder.js';
import { finish } from './stop.js';
import { blockState, isActive, isRunning, waitsUntil } from '../../state/inspect-state.js';

/**
 * Follows paths depth first, each to its end before the next (S12), through automatic blocks and
 * into exposed ones; ends at once at a finish (S17). Bounded by the definition, since automatic
 * blocks act once in a step (S20).
 */
export function walk(step: StepRecorder, paths: readonly CompiledPath[]): void {
  // A list of what is still to follow, not recursion: a thousand blocks in a row must not exhaust
  // the stack.
  const pending = paths.toReversed();
  for (let path = pending.pop(); path; path = pending.pop()) {
    if (path.to === 'finish') return finish(step);
    pending.push(...arrive(step, path.to, path.from).toReversed());
  }
}

/** What reaching a block does; returns the paths that lead on from it in the same step. */
function arrive(
  step: StepRecorder,
  block: CompiledBlock,
  from: CompiledPath['from'],
): readonly CompiledPath[] {
  switch (block.kind) {
    case 'branch':
      return step.claim(block) ? takeOutcome(step, block) : [];
    case 'split':
      return step.claim(block) ? takeWay(step, block) : [];
    case 'gate':
      return arriveAtGate(step, block, from);
    case 'delay':
      wait(step, block);
      return [];
    case 'effect':
      return step.claim(block) ? cause(step, block) : [];
    default:
      enter(step, block);
      return [];
  }
}

/** Makes a block active; an active one stays as it is, a container with its items too (S14). */
function enter(step: StepRecorder, block: ExposedBlock): void {
  if (isActive(step.state, block.uid)) return;
  if (block.kind !== 'container') return step.record({ kind: 'entered', block: block.uid });
  clearItems(step, block);
  step.record({ kind: 'entered', block: block.uid });
  // A tour shows one item at a time, the others all of them (S21).
  const shown = block.type === 'tour' ? block.items.slice(0, 1) : block.items;
  for (const item of shown) step.record({ kind: 'entered', block: item.uid });
}

/** A container that is entered again begins afresh (S24). */
function clearItems(step: StepRecorder, container: CompiledContainer): void {
  for (const { uid } of container.items) {
    if (Object.hasOwn(step.state.blocks, uid)) step.record({ kind: 'dropped', block: uid });
  }
}

function takeOutcome(step: StepRecorder, branch: CompiledBranch): readonly CompiledPath[] {
  const outcome = evaluateCondition(branch.condition, step.context);
  step.record({ kind: 'branched', block: branch.uid, outcome });
  return branch.paths.get(String(outcome)) ?? [];
}

/** Goes on by itself later; one that waits stays as it is (S20, Z4). */
function wait(step: StepRecorder, { uid, for: time }: CompiledDelay): void {
  if (waitsUntil(step.state, uid) !== undefined) return;
  step.record({ kind: 'waiting', block: uid, until: step.context.now + time });
}

/**
 * Leads on from a delay of a running flow that waits, once its time is over; anywhere else it does
 * nothing (Z4).
 */
export function goOn(step: StepRecorder, uid: Uid): void {
  const delay = step.flow.byUid.get(uid);
  const until = waitsUntil(step.state, uid);
  if (delay?.kind !== 'delay' || until === undefined || !isRunning(step.state)) return;
  if (until > step.context.now) return;
  step.record({ kind: 'waited', block: uid });
  walk(step, delay.paths.get('default') ?? []);
}

/**
 * The way taken before, while there is such a way, or the one that falls to this user or group
 * (K1).
 */
function takeWay(step: StepRecorder, split: CompiledSplit): readonly CompiledPath[] {
  const { transitioned = [] } = blockState(step.state, split.uid);
  const { name } =
    split.ways.find((way) => transitioned.includes(way.name)) ?? chooseWay(split, step.context);
  step.record({ kind: 'transitioned', block: split.uid, name }, 2);
  return split.paths.get(name) ?? [];
}

function cause(step: StepRecorder, block: CompiledEffect): readonly CompiledPath[] {
  step.record({ kind: 'effected', block: block.uid });
  step.addEffect(block.effect);
  return block.paths.get('default') ?? [];
}
