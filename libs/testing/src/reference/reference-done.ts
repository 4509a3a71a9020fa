import type { Context, Done, FlowDefinition, FlowState } from '@waymark/domain/engine';
import { isContainer } from './inspect-definition.js';
import { holds } from './reference-conditions.js';
import { take } from './reference-leaving.js';
import { ReferenceState } from './reference-state.js';
import { type ReferenceOutcome, referenceOutcome } from './reference-outcome.js';
import { ReferenceWalk } from './reference-walk.js';

interface DonePart {
  readonly uid: string;
  readonly done: Done;
}

/**
 * What a read, watch or transition does at last: it asks all that is active and says `done`, and
 * then lets take their name, in one step, those that hold and are still active. What this enters is
 * not asked (Z1).
 */
export function referenceLook(
  definition: FlowDefinition,
  state: FlowState,
  context: Context,
): ReferenceOutcome {
  const walk = new ReferenceWalk(definition, ReferenceState.of(state), context);
  if (!walk.state.isRunning) return referenceOutcome(walk, state, false);
  const holding = partsWithDone(definition)
    .filter(({ uid }) => walk.state.active.has(uid))
    .filter(({ done }) => holds(done.when, definition, context));
  walk.run(() => {
    for (const { uid, done } of holding)
      if (walk.state.active.has(uid)) take(walk, uid, new Set([done.take]));
  });
  walk.finishIfOver();
  return referenceOutcome(walk, state, holding.length > 0);
}

/** Blocks and items that may be done by themselves, in the order of the definition (Z1, S1). */
const partsWithDone = ({ blocks }: FlowDefinition): DonePart[] =>
  blocks
    .flatMap((block) => [block, ...(isContainer(block) ? block.items : [])])
    .flatMap((part) => ('done' in part && part.done ? [{ uid: part.uid, done: part.done }] : []));
