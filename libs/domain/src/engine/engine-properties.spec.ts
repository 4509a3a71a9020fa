import { describe, expect, test } from '@jest/globals';
import { deepFreeze } from '@waymark/testing/builders';
import { commandPlans, editedFlows, flowDefinitions, planned, scopes, type CommandPlan } from '@waymark/testing/generators';
import { referenceEdit, referenceMigration, referenceStep, type ReferenceOutcome } from '@waymark/testing/reference';
import fc from 'fast-check';
import {
  adaptToEdit,
  compile,
  EMPTY_STATE,
  fold,
  ITEM_TYPES,
  migrate,
  MIGRATION_STRATEGIES,
  startOnRead,
  step,
  type Command,
  type CompiledFlow,
  type Context,
  type FlowDefinition,
  type FlowEvent,
  type FlowState,
  type Step,
} from './index.js';

/** For a long search: raise it, or give Jest `--seed`; a failure prints the seed and path that repeat it. */
const RUNS = { numRuns: Number(globalThis.process?.env.X ?? 400) };

const plays = () =>
  fc.record({ definition: flowDefinitions(), plans: commandPlans(), scopes: fc.array(scopes(), { minLength: 1, maxLength: 3 }) });

interface Played {
  readonly before: FlowState;
  readonly command: Command;
  readonly context: Context;
  readonly done: Step;
}

/** Plays the plans one after the other; everything handed to the engine is frozen. */
function play(
  flow: CompiledFlow,
  definition: FlowDefinition,
  plans: readonly CommandPlan[],
  contexts: readonly Context[],
  from = EMPTY_STATE,
): Played[] {
  const played: Played[] = [];
  let state = deepFreeze(from);
  for (const [index, plan] of plans.entries()) {
    const command = deepFreeze(planned(definition, state, plan));
    const context = deepFreeze(contexts[index % contexts.length] ?? raise());
    const done = deepFreeze(step(flow, state, command, context));
    played.push({ before: state, command, context, done });
    state = done.state;
  }
  return played;
}

function raise(): never {
  throw new Error('no context to play in');
}

/** Runs a claim over every step of many random plays. */
function forEveryStep(claim: (played: Played, definition: FlowDefinition, flow: CompiledFlow) => void): void {
  fc.assert(
    fc.property(plays(), ({ definition, plans, scopes: contexts }) => {
      const flow = deepFreezeCompiled(definition);
      for (const played of play(flow, definition, plans, contexts)) claim(played, definition, flow);
    }),
    RUNS,
  );
}

interface Meeting {
  readonly state: FlowState;
  readonly after: FlowDefinition;
  readonly context: Context;
}

/** Runs a claim over states that random plays left in a flow, and an edit of that flow. */
function forEveryMeeting(claim: (meeting: Meeting) => void): void {
  const meetings = fc.record({
    flows: editedFlows(),
    plans: commandPlans(),
    scopes: fc.array(scopes(), { minLength: 1, maxLength: 3 }),
  });
  fc.assert(
    fc.property(meetings, ({ flows: { before, after }, plans, scopes: contexts }) => {
      deepFreeze(after);
      for (const { done, context } of play(deepFreezeCompiled(before), before, plans, contexts))
        claim({ state: done.state, after, context });
    }),
    RUNS,
  );
}

const deepFreezeCompiled = (definition: FlowDefinition): CompiledFlow => compile(deepFreeze(definition));
const outcomeOf = ({ state, event, effects }: Step): ReferenceOutcome => ({ state, tookEffect: event !== null, effects });
const lastState = (played: readonly Played[], from = EMPTY_STATE): FlowState => played.at(-1)?.done.state ?? from;

describe('the engine and the reference agree', () => {
  test('on state, taking effect and effects of every command (S6 to S25)', () => {
    forEveryStep(({ before, command, context, done }, definition) => {
      expect(outcomeOf(done)).toEqual(referenceStep(definition, before, command, context));
    });
  });

  test('on what a read starts (S8)', () => {
    forEveryStep(({ before, context }, definition, flow) => {
      const start = { kind: 'start', force: false } as const;
      expect(outcomeOf(startOnRead(flow, before, context))).toEqual(referenceStep(definition, before, start, context));
    });
  });

  test('on what an edit of the definition does to a state (S27)', () => {
    forEveryMeeting(({ state, after, context }) => {
      expect(outcomeOf(adaptToEdit(compile(after), state, context))).toEqual(referenceEdit(after, state, context));
    });
  });

  test.each(MIGRATION_STRATEGIES)('on what a %s migration does to a state (S28)', (strategy) => {
    forEveryMeeting(({ state, after, context }) => {
      const done = migrate(compile(after), { version: 1, state }, strategy, context);
      expect(outcomeOf(done)).toEqual(referenceMigration(after, state, strategy, context));
    });
  });
});
