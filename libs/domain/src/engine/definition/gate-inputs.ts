import type { Block, FlowDefinition, Uid } from './definition.js';

/**
 * What every gate waits for, by the gate's identifier: the start and the blocks that lead to it,
 * but for blocks that nothing reaches (S16).
 */
export function gateInputs({
  start,
  blocks,
}: FlowDefinition): ReadonlyMap<string, ReadonlySet<Uid | 'start'>> {
  const gates = new Map<string, Set<Uid | 'start'>>();
  for (const block of blocks) if (block.type === 'gate') gates.set(block.id, new Set());
  for (const id of start) gates.get(id)?.add('start');
  for (const block of reachable(start, blocks)) {
    for (const path of block.paths) gates.get(path.to)?.add(block.uid);
  }
  return gates;
}

function reachable(start: readonly string[], blocks: readonly Block[]): ReadonlySet<Block> {
  const byId = new Map(blocks.map((block) => [block.id, block]));
  const reached = new Set<Block>();
  const pending = [...start];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    const block = byId.get(id);
    if (!block || reached.has(block)) continue;
    reached.add(block);
    pending.push(...block.paths.map((path) => path.to));
  }
  return reached;
}
