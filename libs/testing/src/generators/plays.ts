import type { FlowDefinition } from '@waymark/domain/engine';
import type { Context } from '@waymark/domain/targeting';
import fc from 'fast-check';
import { commandPlans, type CommandPlan } from './commands.js';
import { contexts } from './contexts.js';
import { editedFlows, flowDefinitions } from './flows.js';

/** What is done to one state, one plan after the other; each sees the user as they then are. */
export interface Turn {
  readonly plan: CommandPlan;
  readonly context: Context;
}

function turns(): fc.Arbitrary<Turn[]> {
  const changing = fc.array(contexts(), { minLength: 1, maxLength: 3 });
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
  return fc.record({ flows: editedFlows(), turns: turns(), turnsAfter: turns(), context: contexts() });
}
