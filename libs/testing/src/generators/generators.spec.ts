import { expect, test } from '@jest/globals';
import {
  checkDefinition,
  type Context,
  EMPTY_STATE,
  type FlowDefinition,
  type FlowState,
} from '@waymark/domain/engine';
import { fc } from '@waymark/testing/properties';
import { referenceLook, referenceStep } from '@waymark/testing/reference';
import { editedFlows, flowDefinitions, planned, plays, type Turn } from './index.js';

const PLAYS = 600;

test('every generated flow and every edit of it may be stored (S4)', () => {
  const flows = fc.oneof(
    flowDefinitions(),
    editedFlows().map(({ after }) => after),
  );
  fc.assert(
    fc.property(flows, (flow) => {
      expect(checkDefinition(flow).filter(({ severity }) => severity === 'error')).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test('many edits bring blocks that were not there (S27)', () => {
  const grown = fc.sample(editedFlows(), { numRuns: PLAYS }).filter(({ before, after }) => {
    const known = new Set(before.blocks.map(({ id }) => id));
    return after.blocks.some(({ id }) => !known.has(id));
  });
  expect(grown.length / PLAYS).toBeGreaterThan(0.3);
});

interface Played {
  definition: FlowDefinition;
  turns: Turn[];
}

test.each<[what: string, without: (played: Played) => Played, atLeast: number]>([
  ['what users did (Z2)', withContexts(forgetDeeds), 0.1],
  ['what is done by itself (Z1)', undone, 0.15],
  ['time going by (Z4)', withContexts((context) => ({ ...context, now: 0 })), 0.05],
  ['being who they are (K1)', withContexts(asSomebodyElse), 0.03],
])('many plays would go another way without %s', (_, without, atLeast) => {
  const changed = fc
    .sample(plays(), { numRuns: PLAYS })
    .filter((played) => statesOf(played) !== statesOf(without(played)));
  expect(changed.length / PLAYS).toBeGreaterThan(atLeast);
});

function withContexts(change: (context: Context) => Context) {
  return ({ definition, turns }: Played): Played => ({
    definition,
    turns: turns.map(({ plan, context }) => ({ plan, context: change(context) })),
  });
}

function forgetDeeds(context: Context): Context {
  const { events: _, ...user } = context.user;
  return { ...context, user };
}

function asSomebodyElse(context: Context): Context {
  return { ...context, userId: 'zoe', groupId: null };
}

function undone({ definition, turns }: Played): Played {
  const text = JSON.stringify(definition, (key, value: unknown) =>
    key === 'done' ? undefined : value,
  );
  return { definition: JSON.parse(text) as FlowDefinition, turns };
}

/** As requests would leave it: each looks at what is done by itself. */
function statesOf({ definition, turns }: Played): string {
  const states: FlowState[] = [];
  for (const { plan, context } of turns) {
    const state = states.at(-1) ?? EMPTY_STATE;
    const command = planned(definition, state, plan);
    const stepped = referenceStep(definition, state, command, context).state;
    states.push(referenceLook(definition, stepped, context).state);
  }
  return JSON.stringify(
    states.map(({ waiting, ...others }) => [waiting ? Object.keys(waiting) : [], others]),
  );
}
