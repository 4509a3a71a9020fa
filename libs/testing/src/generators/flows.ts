import type { FlowDefinition } from '@waymark/domain/engine';
import fc from 'fast-check';
import type { Context } from '@waymark/domain/targeting';
import { makeFlow } from './make-flow.js';
import {
  blockRecipes,
  flowRecipes,
  starts,
  targets,
  type BlockRecipe,
  type FlowRecipe,
} from './recipes.js';
import { commandPlans, type CommandPlan } from './commands.js';
import { activeContexts } from './contexts.js';

/**
 * Valid flows of up to eight blocks of every type, with back paths, gates, branches, effects and
 * ways to the finish.
 */
export function flowDefinitions(): fc.Arbitrary<FlowDefinition> {
  return flowRecipes().map(makeFlow);
}

/**
 * A flow and an edit of it (S27, S28): blocks and items come, go, change their type, their paths
 * and their order.
 */
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
  if (block === null) return fc.option(blockRecipes(), { freq: 2 });
  const sameType = blockRecipes(fc.constant(block.type));
  return fc.oneof(
    { arbitrary: fc.constant(block), weight: 6 },
    { arbitrary: sameType.map(({ paths }) => ({ ...block, paths })), weight: 2 },
    { arbitrary: sameType.map(({ items }) => ({ ...block, items })), weight: 3 },
    { arbitrary: blockRecipes(), weight: 1 },
    { arbitrary: fc.constant(null), weight: 1 },
  );
}

/** What is done to one state, one plan after the other; each sees the user as they then are. */
export interface Turn {
  readonly plan: CommandPlan;
  readonly context: Context;
}

function turns(): fc.Arbitrary<Turn[]> {
  const changing = fc.array(activeContexts(), { minLength: 1, maxLength: 3 });
  return fc.tuple(commandPlans(), changing).map(([plans, contexts]) =>
    plans.flatMap((plan, index) => {
      const context = contexts[index % contexts.length];
      return context ? [{ plan, context }] : [];
    }),
  );
}

/** A flow and what a user does in it. */
export function plays(): fc.Arbitrary<{ definition: FlowDefinition; turns: Turn[] }> {
  return fc.record({ definition: flowDefinitions(), turns: turns() });
}

/** A flow, what a user does in it, an edit of the flow, and what the user does afterwards. */
export function editedPlays(): fc.Arbitrary<{
  flows: { before: FlowDefinition; after: FlowDefinition };
  turns: Turn[];
  turnsAfter: Turn[];
  context: Context;
}> {
  return fc.record({
    flows: editedFlows(),
    turns: turns(),
    turnsAfter: turns(),
    context: activeContexts(),
  });
}

const DAYS = ['2024-06-01', '2024-06-15T12:00', '2024-06-16T02:00+02:00', '2024-06-20'] as const;

/**
 * The same flow with dates around those of `contexts`, and contexts that go on from turn to turn
 * (Z8).
 */
export function withDates(definition: FlowDefinition): fc.Arbitrary<FlowDefinition> {
  const day = fc.option(fc.constantFrom(...DAYS), { nil: undefined });
  return fc.record({ from: day, until: day, end: day }).map(({ from, until, end }) => ({
    ...definition,
    format: 2,
    target: { ...definition.target, ...(from && { from }), ...(until && { until }) },
    ...(end && { end }),
  }));
}

/** As the context is so many half days later. */
export const later = (context: Context, halfDays: number): Context => ({
  ...context,
  now: context.now + halfDays * 12 * 3_600_000,
});
