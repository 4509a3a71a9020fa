import type { Context, FlowDefinition, FlowState, MigrationStrategy } from '@waymark/domain/engine';
import { findBlock, findItem, isContainer, namesOf, inputsOf } from './inspect-definition.js';
import { ReferenceState } from './reference-state.js';
import { ReferenceStep, type ReferenceOutcome } from './reference-step.js';

/** What the first read or command after an edit does to a state (S27). */
export function referenceEdit(
  definition: FlowDefinition,
  state: FlowState,
  context: Context,
): ReferenceOutcome {
  const step = new ReferenceStep(definition, ReferenceState.of(state), context);
  adapt(step);
  const after = step.state.toFlowState();
  const tookEffect = canonical(after) !== canonical(ReferenceState.of(state).toFlowState());
  return { state: tookEffect ? after : state, tookEffect, effects: step.effects };
}

/** What the end of a flow does to a state, before whatever is asked (Z8). */
export function referenceEnd(
  definition: FlowDefinition,
  state: FlowState,
  context: Context,
): ReferenceOutcome {
  const step = new ReferenceStep(definition, ReferenceState.of(state), context);
  const stops = step.state.isRunning && step.isPastEnd;
  if (stops) step.run({ kind: 'stop' });
  return { state: stops ? step.state.toFlowState() : state, tookEffect: stops, effects: [] };
}

/** What putting a former state back does (I5). */
export function referenceRestore(state: FlowState, former: FlowState): ReferenceOutcome {
  const after = ReferenceState.of(former).toFlowState();
  const tookEffect = canonical(after) !== canonical(ReferenceState.of(state).toFlowState());
  return { state: tookEffect ? after : state, tookEffect, effects: [] };
}

/** What a user with older state finds in a new version (S28). A migration whose result is empty takes no effect. */
export function referenceMigration(
  definition: FlowDefinition,
  older: FlowState,
  strategy: MigrationStrategy,
  context: Context,
): ReferenceOutcome {
  const step = new ReferenceStep(definition, ReferenceState.of(older), context);
  if (strategy === 'carry-over') adapt(step);
  else replace(step, strategy);
  return {
    state: step.state.toFlowState(),
    tookEffect: !step.state.isEmpty,
    effects: step.effects,
  };
}

function replace(step: ReferenceStep, strategy: Exclude<MigrationStrategy, 'carry-over'>): void {
  const { state } = step;
  const restarts = !step.isPastEnd;
  if (restarts && strategy === 'restart-in-progress' && state.isRunning) return step.restart();
  if (restarts && strategy === 'restart-all' && state.started) return step.restart();
  if (strategy === 'stop-in-progress' && state.isRunning) state.stopped = true;
  state.forget(() => true);
}

/** S27, in its order. */
function adapt(step: ReferenceStep): void {
  const { definition, state } = step;
  dropUnknown(definition, state);
  if (!state.isRunning || step.isPastEnd) return;
  if (state.active.size === 0) step.restart();
  enterNewItems(step);
  moveTours(step);
  completeContainers(step);
  passGates(step);
  step.finishWithoutActiveBlock();
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

function activeContainers({ definition, state }: ReferenceStep) {
  return definition.blocks.filter(isContainer).filter(({ uid }) => state.active.has(uid));
}

function enterNewItems(step: ReferenceStep): void {
  for (const container of activeContainers(step).filter(({ type }) => type !== 'tour')) {
    for (const item of container.items) if (!step.state.entered.has(item.uid)) step.enterItem(item);
  }
}

function moveTours(step: ReferenceStep): void {
  for (const tour of activeContainers(step).filter(({ type }) => type === 'tour')) {
    if (tour.items.some(({ uid }) => step.state.active.has(uid))) continue;
    const next = tour.items.find(({ uid }) => !step.state.exited.has(uid));
    if (next) step.enterItem(next);
  }
}

function completeContainers(step: ReferenceStep): void {
  for (const container of step.definition.blocks.filter(isContainer)) {
    // Asked anew for each: completing one may have finished the flow or entered another.
    if (!step.state.active.has(container.uid)) continue;
    const isDone =
      container.type === 'tour'
        ? !container.items.some(({ uid }) => step.state.active.has(uid))
        : step.areItemsDone(container);
    if (isDone) step.walk(() => step.leave(container, new Set(['complete'])));
  }
}

function passGates(step: ReferenceStep): void {
  for (const block of step.definition.blocks) {
    if (block.type !== 'gate' || !step.state.isRunning || !step.state.received.has(block.uid))
      continue;
    step.walk(() => step.passIfComplete(block));
  }
}

function canonical(state: FlowState): string {
  const sorted = (entries: object) => Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(
    [state.started, state.stopped, state.finished, sorted(state.blocks), sorted(state.gates)],
    (_, value) => (isListOfTexts(value) ? value.toSorted() : value),
  );
}

/** Names and gate inputs, whose order says nothing. */
const isListOfTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');
