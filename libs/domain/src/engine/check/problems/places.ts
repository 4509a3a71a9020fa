import type { BlockDraft, FlowDraft, ItemDraft, Path } from '../../definition/definition.js';
import { hasOnePath } from '../../definition/names.js';
import type { Problem } from './problem.js';

type Place = Problem['place'];

/** The place of a start: `['start']`, with an index when it is one of several. */
export function startPlace({ start }: FlowDraft, index: number): Place {
  return start.length > 1 ? ['start', index] : ['start'];
}

export interface PlacedBlock {
  readonly block: BlockDraft | ItemDraft;
  readonly place: Place;
}

/** The place of the condition or the name of a `done`: only a custom block names both. */
export const donePlace = ({ block, place }: PlacedBlock, key: 'when' | 'take'): Place =>
  block.type === 'custom' ? [...place, 'done', key] : [...place, 'done'];

/** Blocks with every item after its container, each with its place in the file. */
export function placedBlocks({ blocks }: Pick<FlowDraft, 'blocks'>): PlacedBlock[] {
  return blocks.flatMap((block) => {
    const place = ['blocks', block.id];
    const items = 'items' in block ? block.items : [];
    return [
      { block, place },
      ...items.map((item) => ({ block: item, place: [...place, 'items', item.id] })),
    ];
  });
}

/** The paths of a block, each with its place in the file. */
export function placedPaths(block: BlockDraft): { readonly path: Path; readonly place: Place }[] {
  const sharing = new Map<string, number>();
  const keys = block.paths.map((path) => path.names.join(','));
  for (const key of keys) sharing.set(key, (sharing.get(key) ?? 0) + 1);
  const seen = new Map<string, number>();
  return block.paths.map((path, index) => {
    const key = keys[index] ?? '';
    const nth = seen.get(key) ?? 0;
    seen.set(key, nth + 1);
    const under = hasOnePath(block.type) && key === 'default' ? ['next'] : ['paths', key];
    if (block.type === 'split') under.push('to');
    return {
      path,
      place: ['blocks', block.id, ...under, ...((sharing.get(key) ?? 0) > 1 ? [nth] : [])],
    };
  });
}
