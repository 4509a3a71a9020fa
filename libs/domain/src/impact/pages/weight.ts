import type { FlowState } from '../../engine/index.js';

/** Blocks of a state that take about as much room as everything else that comes with its user. */
const BLOCKS_OF_ONE = 20;

/** How much room a state takes, where a small one takes 1: pages of large states hold fewer users. */
export function weightOf({ blocks }: FlowState): number {
  return 1 + Object.keys(blocks).length / BLOCKS_OF_ONE;
}
