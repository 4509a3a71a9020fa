import type { FlowDefinition } from '@waymark/domain/engine';
import fc from 'fast-check';
import { makeFlow } from './make-flow.js';
import { blockRecipes, flowRecipes, starts, targets, type BlockRecipe, type FlowRecipe } from './recipes.js';

/** Valid flows of up to eight blocks of every type, with back paths, gates, branches, effects and ways to the finish. */
export function flowDefinitions(): fc.Arbitrary<FlowDefinition> {
  return flowRecipes().map(makeFlow);
}

/** A flow and an edit of it (S27, S28): blocks and items come, go, change their type, their paths and their order. */
export function editedFlows(): fc.Arbitrary<{ before: FlowDefinition; after: FlowDefinition }> {
  return flowRecipes()
    .chain((before) => edits(before).map((after) => ({ before, after })))
    .map(({ before, after }) => ({ before: makeFlow(before), after: makeFlow(after) }));
}

function edits(before: FlowRecipe): fc.Arbitrary<FlowRecipe> {
  const places = Array.from({ length: 8 }, (_, place) => blockEdits(before.blocks[place] ?? null));
  return fc.record({
    target: targets(),
    start: fc.oneof(fc.constant(before.start), starts()),
    // The first block stays, so that there is always one.
    blocks: fc.tuple(fc.constant(before.blocks[0] ?? null), ...places.slice(1)),
    order: fc.constant(before.order),
  });
}

function blockEdits(block: BlockRecipe | null): fc.Arbitrary<BlockRecipe | null> {
  if (block === null) return fc.option(blockRecipes(), { freq: 1 });
  const sameType = blockRecipes(fc.constant(block.type));
  return fc.oneof(
    { arbitrary: fc.constant(block), weight: 6 },
    { arbitrary: sameType.map(({ paths }) => ({ ...block, paths })), weight: 2 },
    { arbitrary: sameType.map(({ items }) => ({ ...block, items })), weight: 3 },
    { arbitrary: blockRecipes(), weight: 1 },
    { arbitrary: fc.constant(null), weight: 1 },
  );
}
