import type { CompiledContainer, ExposedBlock } from '../../definition/compiled-flow.js';
import { isActive } from '../../state/inspect-state.js';
import type { StepRecorder } from './step-recorder.js';

/** Makes a block active; an active one stays as it is, a container with its items too (S14). */
export function enter(step: StepRecorder, block: ExposedBlock): void {
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
