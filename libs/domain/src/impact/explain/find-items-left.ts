import { blockState, type CompiledContainer, type CompiledFlow, type FlowState, isActive } from '../../engine/index.js';
import type { Explanation } from './explanation.js';

/** The items that active containers still wait for, before they complete by themselves (S23). */
export function findItemsLeft(flow: CompiledFlow, state: FlowState): Explanation['items'] {
  const containers = flow.exposed.filter((block): block is CompiledContainer => block.kind === 'container');
  return containers
    .filter(({ uid }) => isActive(state, uid))
    .map(({ id, items }) => ({ block: id, left: items.filter(({ uid }) => !isLeft(state, uid)).map((item) => item.id) }));
}

function isLeft(state: FlowState, uid: string): boolean {
  const { active, exited } = blockState(state, uid);
  return !active && exited === true;
}
