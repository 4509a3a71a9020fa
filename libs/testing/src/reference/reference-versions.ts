import type { Context, FlowDefinition, FlowState, MigrationStrategy } from '@waymark/domain/engine';
import { findBlock, findItem, isContainer, namesOf, inputsOf } from './inspect-definition.js';
import { isPastEnd } from './reference-conditions.js';
import { areItemsDone, leave } from './reference-leaving.js';
import { type ReferenceOutcome, referenceOutcome } from './reference-outcome.js';
import { ReferenceState } from './reference-state.js';
import { stop } from './reference-step.js';
import { ReferenceWalk } from './reference-walk.js';

/** What the first read or command after an edit does to a state (S27). */
export function referenceEdit(
  definition: FlowDefinition,
  state: FlowState,
  context: Context,
): ReferenceOutcome {
  const walk = new ReferenceWalk(definition, ReferenceState.of(state), context);
  adapt(walk);
  return referenceOutcome(walk, state, !isSame(walk.state.toFlowState(), state));
}

/** What the end of a flow does to a state, before the command (Z8). */
export function referenceEnd(
  definition: FlowDefinition,
  state: FlowState,
  context: Context,
): ReferenceOutcome {
  const walk = new ReferenceWalk(definition, ReferenceState.of(state), context);
  return referenceOutcome(
    walk,
    state,
    walk.state.isRunning && isPastEnd(definition, context) && stop(walk),
  );
}

/** What putting a former state back does (I5). */
export function referenceRestore(state: FlowState, former: FlowState): ReferenceOutcome {
  const after = ReferenceState.of(former).toFlowState();
  const tookEffect = !isSame(after, state);
  return { state: tookEffect ? after : state, tookEffect, effects: [] };
}

/**
 * What a user with older state finds in a new version (S28). A migration whose result is empty
 * takes no effect.
 */
export function referenceMigration(
  definition: FlowDefinition,
  older: FlowState,
  strategy: MigrationStrategy,
  context: Context,
): ReferenceOutcome {
  const walk = new ReferenceWalk(definition, ReferenceState.of(older), context);
  if (strategy === 'carry-over') adapt(walk);
  else replace(walk, strategy);
  return {
    state: walk.state.toFlowState(),
    tookEffect: !walk.state.isEmpty,
    effects: walk.effects,
  };
}

function replace(walk: ReferenceWalk, strategy: Exclude<MigrationStrategy, 'carry-over'>): void {
  const { state } = walk;
  const restarts = !isPastEnd(walk.definition, walk.context);
  if (restarts && strategy === 'restart-in-progress' && state.isRunning) return walk.restart();
  if (restarts && strategy === 'restart-all' && state.started) return walk.restart();
  if (strategy === 'stop-in-progress' && state.isRunning) state.stopped = true;
  state.forget(() => true);
}

/** S27, in its order. */
function adapt(walk: ReferenceWalk): void {
  const { definition, state } = walk;
  dropUnknown(definition, state);
  if (!state.isRunning || isPastEnd(definition, walk.context)) return;
  if (state.isOver) walk.restart();
  enterNewItems(walk);
  moveTours(walk);
  completeContainers(walk);
  passGates(walk);
  walk.finishIfOver();
}

function dropUnknown(definition: FlowDefinition, state: ReferenceState): void {
  state.forget((uid) => !findBlock(definition, uid) && !findItem(definition, uid));
  for (const [uid, names] of state.transitioned) {
    for (const name of names) if (!namesOf(definition, uid).includes(name)) names.delete(name);
  }
  for (const [uid, inputs] of state.received) {
    const gate = findBlock(definition, uid);
    for (const input of inputs)
      if (!gate || !inputsOf(definition, gate).includes(input)) inputs.delete(input);
    if (inputs.size === 0) state.received.delete(uid);
  }
}

function activeContainers({ definition, state }: ReferenceWalk) {
  return definition.blocks.filter(isContainer).filter(({ uid }) => state.active.has(uid));
}

function enterNewItems(walk: ReferenceWalk): void {
  for (const container of activeContainers(walk).filter(({ type }) => type !== 'tour')) {
    for (const item of container.items) if (!walk.state.entered.has(item.uid)) walk.enterItem(item);
  }
}

function moveTours(walk: ReferenceWalk): void {
  for (const tour of activeContainers(walk).filter(({ type }) => type === 'tour')) {
    if (tour.items.some(({ uid }) => walk.state.active.has(uid))) continue;
    const next = tour.items.find(({ uid }) => !walk.state.exited.has(uid));
    if (next) walk.enterItem(next);
  }
}

function completeContainers(walk: ReferenceWalk): void {
  for (const container of walk.definition.blocks.filter(isContainer)) {
    // Asked anew for each: completing one may have finished the flow or entered another.
    if (!walk.state.active.has(container.uid)) continue;
    const isDone =
      container.type === 'tour'
        ? !container.items.some(({ uid }) => walk.state.active.has(uid))
        : areItemsDone(walk, container);
    if (isDone) walk.run(() => leave(walk, container, new Set(['complete'])));
  }
}

function passGates(walk: ReferenceWalk): void {
  for (const block of walk.definition.blocks) {
    if (block.type !== 'gate' || !walk.state.isRunning || !walk.state.received.has(block.uid))
      continue;
    walk.run(() => walk.passIfComplete(block));
  }
}

const isSame = (after: FlowState, before: FlowState): boolean =>
  canonical(after) === canonical(ReferenceState.of(before).toFlowState());

function canonical(state: FlowState): string {
  const sorted = (entries: object) => Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(
    [
      state.started,
      state.stopped,
      state.finished,
      sorted(state.blocks),
      sorted(state.gates),
      sorted(state.waiting ?? {}),
    ],
    (_, value) => (isListOfTexts(value) ? value.toSorted() : value),
  );
}

/** Names and gate inputs, whose order says nothing. */
const isListOfTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');
