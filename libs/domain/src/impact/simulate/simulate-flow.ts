import {
  type Change,
  compile,
  type CompiledFlow,
  type Context,
  EMPTY_STATE,
  exposedBlocks,
  type FlowDefinition,
  type FlowState,
  isActive,
} from '../../engine/index.js';
import { advance } from '../../flow-states/command/advance.js';
import { describeEffect } from './describe-effect.js';
import { parseStep } from './parse-step.js';
import { whyNot } from './why-not.js';
import type { SimulatedStep, Simulation } from './simulation.js';

export interface SimulationInput {
  readonly definition: FlowDefinition;
  /** Which version it is; 0 for a draft. */
  readonly version?: number;
  /** One after the other, from a user who never came near the flow. */
  readonly steps: readonly string[];
  /** Who does it, and when. */
  readonly context: Context;
  /** Start and reset whatever the targeting. */
  readonly force?: boolean;
}

/**
 * Walks through a flow as the services would, without any of them and without a database (I4). Throws `request.invalid`
 * for a step that cannot be meant, before anything is walked.
 */
export function simulateFlow(input: SimulationInput): Simulation {
  return walkThrough(input).simulation;
}

/** The same, with the state in the end. */
export function walkThrough({ definition, version = 0, steps, context, force = false }: SimulationInput): {
  simulation: Simulation;
  state: FlowState;
} {
  const compiled = compile(definition);
  const asked = steps.map((step) => ({ step, command: parseStep(compiled, step, force) }));
  const flow = { flow: definition.flow, version, edition: 1, strategy: 'carry-over', compiled } as const;
  let state: FlowState = EMPTY_STATE;
  let revision = 0;
  const done = asked.map(({ step, command }): SimulatedStep => {
    const stored = revision === 0 ? null : { version, revision, edition: 1, state, recentKeys: [] };
    const next = advance(flow, stored, command, context);
    const why = next.events.length > 0 ? {} : { why: whyNot(compiled, state, command) };
    state = next.state;
    revision += next.events.length;
    return {
      step,
      tookEffect: next.events.length > 0,
      ...why,
      changes: next.events.flatMap(({ changes }) => changes.map((change) => named(compiled, change))),
      active: exposedBlocks(compiled)
        .filter(({ uid }) => isActive(state, uid))
        .map(({ id }) => id),
      state: { started: state.started, stopped: state.stopped, finished: state.finished },
      effects: next.effects.map(({ effect }) => describeEffect(compiled, effect, version, context)),
    };
  });
  return { simulation: { flow: definition.flow, version, steps: done }, state };
}

/** A change with identifiers, since the uids of a draft mean nothing. */
function named({ byUid }: CompiledFlow, change: Change): Change {
  const nameOf = (uid: string): string => byUid.get(uid)?.id ?? uid;
  const places = ['block', 'gate', 'from'].filter((place) => place in change);
  return {
    ...change,
    ...Object.fromEntries(places.map((place) => [place, nameOf((change as Record<string, unknown>)[place] as string)])),
  };
}
