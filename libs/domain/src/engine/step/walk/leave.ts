import type {
  CompiledContainer,
  CompiledItem,
  CompiledPath,
  CompiledPlain,
  ExposedBlock,
} from '../../definition/compiled-flow.js';
import { blockState, isActive } from '../../state/inspect-state.js';
import type { StepRecorder } from './step-recorder.js';
import type { BlockState, FlowState } from '../../state/state.js';
import { walk } from './walk.js';

/**
 * Leaves an active block along every path that carries one of the names (S12); the items of a
 * container rest (S24).
 */
export function leave(
  step: StepRecorder,
  block: CompiledPlain | CompiledContainer,
  names: readonly string[],
): void {
  exit(step, block, names);
  for (const { uid } of block.kind === 'container' ? block.items : []) {
    if (isActive(step.state, uid)) step.record({ kind: 'deactivated', block: uid });
  }
  walk(step, pathsCarrying(block, names));
}

/**
 * Leaves an active item: a tour moves on or back (S22), the others complete once every item is
 * taken (S23).
 */
export function leaveItem(step: StepRecorder, item: CompiledItem, names: readonly string[]): void {
  const { container, position } = item;
  if (container.type === 'tour')
    return moveTour(step, item, position + (names.includes('previous') ? -1 : 1), names);
  exit(step, item, names);
  if (isDone(step.state, container)) complete(step, container);
}

function moveTour(
  step: StepRecorder,
  item: CompiledItem,
  to: number,
  names: readonly string[],
): void {
  if (to < 0) return;
  exit(step, item, names);
  const next = item.container.items[to];
  if (next) step.record({ kind: 'entered', block: next.uid });
  else complete(step, item.container);
}

/** A container completes by itself as if it had been transitioned (S23). */
export function complete(step: StepRecorder, container: CompiledContainer): void {
  leave(step, container, ['complete']);
}

/**
 * Whether a container has nothing left to do: every item of a tour is left, every other item taken
 * (S23, S27).
 */
export function isDone(state: FlowState, { type, items }: CompiledContainer): boolean {
  return items.every(({ uid }) => ITEM_DONE[type](blockState(state, uid)));
}

const ITEM_DONE = {
  checklist: ({ transitioned }: BlockState) =>
    Boolean(transitioned?.some((name) => name === 'complete' || name === 'skip')),
  hints: ({ transitioned }: BlockState) =>
    Boolean(transitioned?.some((name) => name === 'complete' || name === 'dismiss')),
  tour: ({ active, exited }: BlockState) => !active && Boolean(exited),
};

function exit(step: StepRecorder, block: ExposedBlock, names: readonly string[]): void {
  step.record({ kind: 'exited', block: block.uid });
  for (const name of names) step.record({ kind: 'transitioned', block: block.uid, name });
}

/** Each path once, in the order of the definition, whatever the order of the names (S12, S20). */
function pathsCarrying(
  { paths }: CompiledPlain | CompiledContainer,
  names: readonly string[],
): readonly CompiledPath[] {
  const carrying = new Set(names.flatMap((name) => paths.get(name) ?? []));
  return [...carrying].sort((a, b) => a.order - b.order);
}
