import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  card,
  defineFlow,
  delay,
  modal,
  someone,
  trigger,
  webhook,
} from '@waymark/testing/builders';
import { commandPlans, contexts, flowDefinitions, planned } from '@waymark/testing/generators';
import {
  type Command,
  compile,
  EMPTY_STATE,
  exposedBlocks,
  isActive,
} from '@waymark/domain/engine';
import { cases, fc } from '@waymark/testing/properties';
import { Fixture } from '@waymark/testing/fixture';
import { userId } from '../users/index.js';
import { simulateFlow } from './index.js';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await Fixture.open();
});
afterAll(() => fixture.close());

const greeting = defineFlow({
  flow: 'greeting',
  target: { users: 'matching', when: 'user.properties.plan == "pro"' },
  blocks: {
    hello: modal({ complete: 'told', dismiss: 'finish' }),
    told: webhook('call', {
      headers: { 'X-User': '${user.identifier}' },
      body: { at: '${timestamp}', deep: ['${flow.name} ${unknown}'] },
    }),
    call: trigger('tips', 'start', 'bye'),
    bye: card(),
  },
});

test('after each step it tells what changed, what is active, and what would be sent (I4)', () => {
  const { steps } = simulateFlow({
    definition: greeting,
    steps: ['read', 'hello:complete', 'hello:complete'],
    context: someone({ plan: 'pro' }),
  });
  expect(steps).toMatchObject([
    {
      step: 'read',
      tookEffect: true,
      changes: [{ kind: 'flow' }, { kind: 'entered', block: 'hello' }],
      active: ['hello'],
      effects: [],
    },
    {
      step: 'hello:complete',
      tookEffect: true,
      active: ['bye'],
      state: { started: true, stopped: false, finished: false },
      effects: [
        {
          kind: 'webhook',
          block: 'told',
          headers: { 'x-user': 'user-1' },
          body: { at: '2030-01-01T00:00:00.000Z', deep: ['greeting ${unknown}'] },
        },
        { kind: 'flow-trigger', block: 'call', flow: 'tips', intent: 'start', version: 'latest' },
      ],
    },
    { tookEffect: false, why: 'hello is not active', changes: [], active: ['bye'] },
  ]);
});

test('a flow with dates tells which of them keeps a user out (Z8)', () => {
  const why = (dates: object) =>
    simulateFlow({ definition: { ...greeting, ...dates }, context: someone(), steps: ['read'] })
      .steps[0]?.why;
  expect(why({ target: { users: 'all', from: '2999-01-01' } })).toBe(
    'nobody enters before 2999-01-01 UTC',
  );
  expect(why({ target: { users: 'all', until: '1969-01-01' } })).toBe(
    'nobody enters since 1969-01-01 UTC',
  );
  expect(why({ end: '1969-01-01' })).toBe('the flow ended 1969-01-01 UTC');
});

test('whom a condition keeps out stays out, unless a start is forced (I4)', () => {
  const input = { definition: greeting, context: someone({ plan: 'free' }) };
  expect(
    simulateFlow({ ...input, steps: ['read', 'start'] }).steps.map(({ tookEffect }) => tookEffect),
  ).toEqual([false, false]);
  const again = simulateFlow({
    ...input,
    force: true,
    steps: ['start', 'read', 'bye:complete', 'stop', 'stop', 'hello:complete', 'read'],
  });
  expect(again.steps.flatMap(({ why }) => why ?? [])).toEqual([
    'the user is in it already',
    'bye is not active',
    'the flow is stopped already',
    'the flow is stopped',
    'the flow is stopped; a reset starts it again',
  ]);
  expect(
    simulateFlow({ ...input, steps: ['read', 'bye:complete', 'reset'] }).steps.map(
      ({ why }) => why,
    ),
  ).toEqual([
    'the user does not qualify',
    'the flow is not started',
    'there is nothing to clear, and the user does not qualify',
  ]);
  expect(simulateFlow({ ...input, steps: ['start'], force: true }).steps).toMatchObject([
    { active: ['hello'] },
  ]);
});

test.each([
  [
    'jump',
    /^jump is not a step; write read, start, reset, stop, finish, BLOCK:NAME or a time such as "\+2 days"$/,
  ],
  ['helo:complete', /there is no block helo that users see; it has hello, bye$/],
  ['told:default', /there is no block told/],
  ['hello:next', /block hello has no transition "next"/],
  ['hello:', /has no transition ""/],
])('a step that cannot be meant is refused with what there is: %s (I4)', (step, message) => {
  expect(() =>
    simulateFlow({ definition: greeting, steps: ['read', step], context: someone() }),
  ).toThrow(message);
});

test('a simulation and the services agree on the same steps (I4)', async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(
      flowDefinitions(),
      commandPlans(),
      contexts(),
      async (generated, plans, context) => {
        const definition = { ...generated, flow: `simulated-${++run}` };
        const user = `user-${run}`;
        await fixture.commit(definition);
        await fixture.identify(user, context.user.properties);
        const steps: string[] = [];
        const expected: object[] = [];
        // No client has a delay go on.
        for (const plan of plans.filter(({ kind }) => kind !== 'continue')) {
          const state = (await fixture.findState(user, definition.flow, 1))?.state ?? EMPTY_STATE;
          const command = planned(definition, state, plan);
          const { tookEffect, state: after } = await fixture.run(
            user,
            definition.flow,
            1,
            'force' in command ? { ...command, force: true } : command,
          );
          steps.push(textOf(definition, command));
          const active = exposedBlocks(compile(definition)).filter(({ uid }) =>
            isActive(after, uid),
          );
          expected.push({ tookEffect, active: active.map(({ id }) => id) });
        }
        const simulated = simulateFlow({
          definition,
          version: 1,
          steps,
          force: true,
          context: {
            now: Date.now(),
            userId: userId(fixture.environmentId, user),
            group: null,
            user: { ...context.user, createdAt: Date.now() },
          },
        });
        expect(simulated.steps.map(({ tookEffect, active }) => ({ tookEffect, active }))).toEqual(
          expected,
        );
        const [{ count }] = (await fixture.dataSource.query(
          'SELECT count(*)::int FROM effects WHERE flow = $1',
          [definition.flow],
        )) as [{ count: number }];
        expect(simulated.steps.flatMap(({ effects }) => effects)).toHaveLength(count);
      },
    ),
    { numRuns: cases(40), endOnFailure: true },
  );
});

function textOf(definition: Parameters<typeof compile>[0], command: Command): string {
  if (command.kind !== 'transition') return command.kind;
  return `${compile(definition).byUid.get(command.block)!.id}:${command.names.join(',')}`;
}

test('time may pass: delays go on in the order of their time, each at that moment (I4, Z4)', () => {
  const DAY = 86_400_000;
  const definition = defineFlow({
    flow: 'waiting',
    start: ['long', 'short'],
    blocks: {
      long: delay('told', 2 * DAY),
      short: delay('again', DAY),
      again: delay('bye', DAY / 2),
      told: webhook('finish', { body: '${timestamp}' }),
      bye: card(),
    },
  });
  const context = someone();
  const steps = ['read', '+1 hour', '+30 hours', '+36 hours', '+1 day'];
  const { steps: walked } = simulateFlow({ definition, steps, context });
  const at = (days: number) => context.now + days * DAY;
  expect(walked).toMatchObject([
    { step: 'read', delays: { long: at(2), short: at(1) } },
    { step: '+1 hour', tookEffect: false, why: 'no delay is over by then' },
    { step: '+30 hours', delays: { long: at(2), again: at(1.5) }, active: [] },
    {
      step: '+36 hours',
      state: { finished: true },
      effects: [{ block: 'told', body: new Date(at(2)).toISOString() }],
    },
    { step: '+1 day', tookEffect: false },
  ]);
  expect(walked[3]!.changes.filter(({ kind }) => kind === 'waited')).toHaveLength(2);
  expect(() => simulateFlow({ definition, steps: ['+8 weeks'], context })).toThrow('+8 weeks');
});

test('time in which too many delays are over is refused: it would take long, and more to read than anybody can (I4, Z4)', () => {
  const definition = defineFlow({ blocks: { wait: delay('wait', 60_000) } });
  const walk = (...steps: string[]) =>
    simulateFlow({ definition, steps: ['read', ...steps], context: someone() });
  expect(walk('+6 days').steps[1]!.changes).toHaveLength(2 * 6 * 24 * 60);
  expect(() => walk('+365 days')).toThrow(/^\+365 days: more than 10,000 delays are over by then/);
  expect(() => walk('+6 days', '+6 days')).toThrow(/^\+6 days: more than 10,000/);
});
