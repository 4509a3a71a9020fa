import { evaluateCondition } from '../../../targeting/index.js';
import type {
  CompiledBlock,
  CompiledBranch,
  CompiledEffect,
  CompiledPath,
  CompiledContainer,
  ExposedBlock,
} from '../../definition/compiled-flow.js';
import { arriveAtGate } from './gates.js';
import type { StepRecorder } from './step-recorder.js';
import { finish } from './stop.js';
import { isActive } from '../../state/inspect-state.js';

/**
 * Follows paths depth first, each to its end before the next (S12), through automatic blocks and into exposed ones;
 * ends at once at a finish (S17). Bounded by the definition, since automatic blocks act once in a step (S20).
 */
export function walk(step: StepRecorder, paths: readonly CompiledPath[]): void {
  // A list of what is still to follow, not recursion: a thousand blocks in a row must not exhaust the stack.
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
    case 'gate':
      return arriveAtGate(step, block, from);
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

function cause(step: StepRecorder, block: CompiledEffect): readonly CompiledPath[] {
  step.record({ kind: 'effected', block: block.uid });
  step.addEffect(block.effect);
  return block.paths.get('default') ?? [];
}
