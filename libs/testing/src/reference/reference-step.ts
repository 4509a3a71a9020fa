import type { Command, Context, FlowDefinition, FlowState } from '@waymark/domain/engine';
import { findBlock, findItem } from './inspect-definition.js';
import { isPastEnd, qualifies } from './reference-conditions.js';
import { take } from './reference-leaving.js';
import { type ReferenceOutcome, referenceOutcome } from './reference-outcome.js';
import { ReferenceState } from './reference-state.js';
import { ReferenceWalk } from './reference-walk.js';

/** What a command does to a state, by the letter of the rules (S9 to S25, Z4). */
export function referenceStep(
  definition: FlowDefinition,
  state: FlowState,
  command: Command,
  context: Context,
): ReferenceOutcome {
  const walk = new ReferenceWalk(definition, ReferenceState.of(state), context);
  return referenceOutcome(walk, state, runs(walk, command));
}

/** Runs the command; false when it has no effect (S6). */
function runs(walk: ReferenceWalk, command: Command): boolean {
  switch (command.kind) {
    case 'start':
      return start(walk, command.force);
    case 'reset':
      return reset(walk, command.force);
    case 'stop':
      return stop(walk);
    case 'finish':
      return finish(walk);
    case 'transition':
      return transition(walk, command.block, new Set(command.names));
    case 'continue':
      return goOn(walk, command.block);
  }
}

/** S9, Z8 */
function start(walk: ReferenceWalk, force: boolean): boolean {
  const { state, definition, context } = walk;
  if (state.started || state.stopped || state.finished) return false;
  if (isPastEnd(definition, context)) return false;
  if (!force && !qualifies(definition, context)) return false;
  walk.restart();
  return true;
}

/** S10 */
function reset(walk: ReferenceWalk, force: boolean): boolean {
  const wasEmpty = walk.state.isEmpty;
  walk.state.clear();
  start(walk, force);
  return !(wasEmpty && walk.state.isEmpty);
}

/** S11 */
export function stop(walk: ReferenceWalk): boolean {
  const { state } = walk;
  if (state.stopped && !state.finished && state.isOver) return false;
  state.stopped = true;
  state.finished = false;
  walk.end();
  return true;
}

/** S11 */
function finish(walk: ReferenceWalk): boolean {
  const { state } = walk;
  if (state.finished && !state.stopped && state.isOver) return false;
  walk.finish();
  return true;
}

/** Z4: a delay that waits goes on once its time has come. */
function goOn(walk: ReferenceWalk, uid: string): boolean {
  const until = walk.state.waiting.get(uid);
  if (until === undefined || until > walk.context.now) return false;
  walk.state.waiting.delete(uid);
  const delay = findBlock(walk.definition, uid)!;
  walk.run(() => walk.followEach(delay, () => true));
  walk.finishIfOver();
  return true;
}

/** S12, S22 */
function transition(walk: ReferenceWalk, uid: string, names: Set<string>): boolean {
  const { state, definition } = walk;
  if (!state.isRunning || !state.active.has(uid)) return false;
  const inside = findItem(definition, uid);
  const isFirstOfTour = inside?.container.type === 'tour' && inside.container.items[0]?.uid === uid;
  if (isFirstOfTour && names.has('previous')) return false;
  walk.run(() => take(walk, uid, names));
  walk.finishIfOver();
  return true;
}
