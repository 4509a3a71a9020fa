import type { Block, FlowDefinition, Item, Uid } from './definition.js';

/** Every block and item of a flow, items behind their container. */
export const partsOf = ({ blocks }: Pick<FlowDefinition, 'blocks'>): (Block | Item)[] =>
  blocks.flatMap((block) => [block, ...('items' in block ? block.items : [])]);

/** Identifiers by uid; a uid that the version no longer has stands for itself. */
export function identifiersOf(definition: FlowDefinition): (uid: Uid) => string {
  const ids = new Map(partsOf(definition).map(({ uid, id }) => [uid, id]));
  return (uid) => ids.get(uid) ?? uid;
}
