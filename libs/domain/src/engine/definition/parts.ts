import type { Block, FlowDefinition, Item, Uid } from './definition.js';

/** Every block and item of a flow, items behind their container. */
export const partsOf = ({ blocks }: Pick<FlowDefinition, 'blocks'>): (Block | Item)[] =>
  blocks.flatMap((block) => [block, ...('items' in block ? block.items : [])]);

/** What users read as the title of a block or item; undefined where it has none. */
export function titleOf(part: Block | Item): string | undefined {
  const fields = 'fields' in part ? part.fields : [];
  const title = fields.find(({ sid }) => sid === 'title')?.value;
  return typeof title === 'string' ? title.trim() || undefined : undefined;
}

/**
 * What people call blocks and items, by identifier: their titles in quotation marks, with the
 * identifier behind where several have the same one. What has no title is called by its identifier
 * (T16).
 */
export function spokenNamesOf(definition: FlowDefinition): (id: string) => string {
  const titled = partsOf(definition).map((part) => ({ id: part.id, title: titleOf(part) }));
  const uses = new Map<string | undefined, number>();
  for (const { title } of titled) uses.set(title, (uses.get(title) ?? 0) + 1);
  const names = new Map(
    titled.map(({ id, title }) => {
      if (title === undefined) return [id, id];
      return [id, uses.get(title) === 1 ? `“${title}”` : `“${title}” (${id})`];
    }),
  );
  return (id) => names.get(id) ?? id;
}

/** Identifiers by uid; a uid that the version no longer has stands for itself. */
export function identifiersOf(definition: FlowDefinition): (uid: Uid) => string {
  const ids = new Map(partsOf(definition).map(({ uid, id }) => [uid, id]));
  return (uid) => ids.get(uid) ?? uid;
}
