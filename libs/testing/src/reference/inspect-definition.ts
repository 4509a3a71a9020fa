import type { Block, Container, FlowDefinition, Item } from '@waymark/domain/engine';

/** Block types that clients see, items aside (S2). */
const EXPOSED = ['custom', 'card', 'modal', 'checklist', 'tour', 'hints'];

export const isExposed = (block: Block): boolean => EXPOSED.includes(block.type);
export const isContainer = (block: Block): block is Container => 'items' in block;

export function findBlock(definition: FlowDefinition, uid: string): Block | undefined {
  return definition.blocks.find((block) => block.uid === uid);
}

/** The container that an item lies in, and the item. */
export function findItem(
  definition: FlowDefinition,
  uid: string,
): { container: Container; item: Item } | undefined {
  for (const container of definition.blocks.filter(isContainer)) {
    const item = container.items.find((candidate) => candidate.uid === uid);
    if (item) return { container, item };
  }
  return undefined;
}

/** Names that a block or item can take (S3). */
export function namesOf(definition: FlowDefinition, uid: string): string[] {
  const type = findBlock(definition, uid)?.type ?? findItem(definition, uid)?.item.type;
  const block = findBlock(definition, uid);
  if (block?.type === 'split') return block.ways.map(({ name }) => name);
  if (block?.type === 'custom') return block.names ?? block.paths.flatMap((path) => path.names);
  if (type === 'checklistItem') return ['complete', 'skip'];
  if (type === 'tourItem') return ['next', 'previous'];
  return ['complete', 'dismiss'];
}

/** Identifiers of everything that the start leads to, over any number of blocks. */
function reachedBlocks(definition: FlowDefinition): Set<string> {
  const reached = new Set<string>();
  const visit = (id: string): void => {
    if (reached.has(id)) return;
    reached.add(id);
    for (const path of definition.blocks.find((block) => block.id === id)?.paths ?? [])
      visit(path.to);
  };
  for (const id of definition.start) visit(id);
  return reached;
}

/**
 * What a gate waits for: uids of the blocks that lead to it, `start` too. Blocks that nothing
 * reaches do not count (S16).
 */
export function inputsOf(definition: FlowDefinition, gate: Block): string[] {
  const reached = reachedBlocks(definition);
  const leading = definition.blocks.filter(
    (block) => reached.has(block.id) && block.paths.some((path) => path.to === gate.id),
  );
  return [
    ...(definition.start.includes(gate.id) ? ['start'] : []),
    ...leading.map((block) => block.uid),
  ];
}
