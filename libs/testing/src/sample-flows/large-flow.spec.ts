import { expect, test } from '@jest/globals';
import { checkDefinition, type Block, type Item } from '@waymark/domain/engine';
import { largeFlow } from './large-flow.js';

test.each([1, 9, 10, 20, 999, 1000])(
  'a large flow of %i blocks has that many, items counted, and nothing wrong (S4)',
  (blocks) => {
    const flow = largeFlow(blocks);
    const all = flow.blocks.flatMap((block): (Block | Item)[] =>
      'items' in block ? [block, ...block.items] : [block],
    );
    expect(all).toHaveLength(blocks);
    expect(new Set(all.map((block) => block.uid)).size).toBe(blocks);
    expect(checkDefinition(flow)).toEqual([]);
  },
);
