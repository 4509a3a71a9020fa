import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import {
  card,
  checklist,
  defineFlow,
  doneBy,
  type FlowNotation,
  tour,
} from '@waymark/testing/builders';
import { Fixture } from '@waymark/testing/fixture';
import { commandFor, compile, fold, INTENTS } from '../../engine/index.js';
import { applySharedFile, ATTENTION_FILE, type ResolvedFlow } from '../../flows/index.js';
import { contextNeedOf } from './decide.js';

const READ = { kind: 'read', starts: true } as const;
const BLOCK = { kind: 'read', starts: false } as const;

let fixture: Fixture;
let users = 0;
let ada: string;
beforeAll(async () => {
  fixture = await Fixture.open();
  for (const [flow, blocks] of Object.entries(FLOWS))
    await fixture.commit(defineFlow({ flow, blocks }));
});
afterAll(() => fixture.close());
beforeEach(async () => {
  ada = `ada-${++users}`;
  await fixture.identify(ada);
});

const items = (flow: string) => [`${flow}-invite`, `${flow}-pay`];
const FLOWS: Record<string, NonNullable<FlowNotation['blocks']>> = {
  list: {
    list: doneBy(
      { 'list-invite': 'user.properties.invited', 'list-pay': 'group.properties.paid' },
      checklist(items('list'), { complete: 'list-bye' }),
    ),
    'list-bye': card(),
  },
  steps: {
    'steps-a': card({ complete: 'steps-b' }),
    'steps-b': doneBy('user.properties.invited', card({ complete: 'steps-c' })),
    'steps-c': card({ complete: 'steps-c' }),
  },
};

const eventsOf = async (flow: string) =>
  (await fixture.loadEvents(ada, flow, 1)).map(({ event, origin, idempotencyKey }) => [
    event.cause.kind,
    origin,
    idempotencyKey,
  ]);

test('a read of a flow or block takes what holds now, in a commit with what else it does, and folding gives the state (Z1, B9, S6)', async () => {
  expect(await fixture.read(ada, 'list')).toMatchObject({ revision: 1 });
  expect(await fixture.read(ada, 'list')).toMatchObject({ tookEffect: false });
  await fixture.identify(ada, { invited: true });
  expect(await fixture.run(ada, 'list', 1, BLOCK)).toMatchObject({ revision: 2, tookEffect: true });
  await fixture.identifyGroup('acme', { paid: true });
  expect(await fixture.read(`${ada}/acme`, 'list')).toMatchObject({ revision: 3 });
  expect(await eventsOf('list')).toEqual([
    ['start', 'read', null],
    ['condition', 'condition', null],
    ['condition', 'condition', null],
  ]);
  const [events, state] = await Promise.all([
    fixture.loadEvents(ada, 'list', 1),
    fixture.findState(ada, 'list', 1),
  ]);
  expect(events.map(({ event }) => event.format)).toEqual([1, 2, 2]);
  expect(fold(events.map(({ event }) => event))).toEqual(state!.state);
});

test('a start by a read and a transition look in the same commit; the key stays with what it was sent for (Z1, B11)', async () => {
  await fixture.identify(ada, { invited: true });
  expect(await fixture.read(ada, 'list')).toMatchObject({ revision: 2 });
  await fixture.read(ada, 'steps');
  const key = { idempotencyKey: 'k1' };
  const first = await fixture.take(ada, 'steps', 1, 'steps-a', ['complete'], key);
  expect(first).toMatchObject({ revision: 3, tookEffect: true });
  expect(await eventsOf('steps')).toEqual([
    ['start', 'read', null],
    ['transition', 'request', 'k1'],
    ['condition', 'condition', null],
  ]);
  const again = await fixture.take(ada, 'steps', 1, 'steps-a', ['complete'], key);
  expect(again).toMatchObject({ revision: 3, tookEffect: true });
});

test('a known key does not look, and what a look does takes no place among the 32 (Z1, B11)', async () => {
  const take = () =>
    fixture.take(ada, 'steps', 1, 'steps-a', ['complete'], { idempotencyKey: 'k1' });
  await fixture.read(ada, 'steps');
  await take();
  await fixture.identify(ada, { invited: true });
  expect(await take()).toMatchObject({ revision: 2, tookEffect: true });
  expect(await fixture.read(ada, 'steps')).toMatchObject({ revision: 3 });
  expect((await fixture.findState(ada, 'steps', 1))!.recentKeys).toEqual(['k1']);
});

test('start, reset, stop and finish do not look (Z1)', async () => {
  await fixture.identify(ada, { invited: true });
  const revisions = [];
  for (const intent of INTENTS)
    revisions.push((await fixture.run(ada, 'list', 1, commandFor(intent, true))).revision);
  expect(revisions).toEqual([1, 2, 3, 4]);
});

test('of several replicas that look at once one wins (Z1, S32)', async () => {
  const other = await fixture.replica();
  await fixture.read(ada, 'list');
  await fixture.identify(ada, { invited: true });
  const reads = await Promise.all(
    Array.from({ length: 20 }, (_, index) => (index % 2 ? fixture : other).read(ada, 'list')),
  );
  expect(reads.filter(({ tookEffect }) => tookEffect)).toHaveLength(1);
  expect(await eventsOf('list')).toHaveLength(2);
});

test('a transition without effect shows its block again, also where something is done beside it (Z1, L6)', async () => {
  const beside = doneBy('user.properties.invited', card());
  const blocks = { beside, walk: tour(['first', 'second']) };
  await fixture.commit(defineFlow({ flow: 'both', start: ['beside', 'walk'], blocks }));
  await fixture.read(ada, 'both');
  await fixture.identify(ada, { invited: true });
  const back = await fixture.take(ada, 'both', 1, 'first', ['previous']);
  expect(back).toMatchObject({ revision: 2, tookEffect: true });
  const { byIdentifier } = back.flow.compiled;
  expect(fixture.changes.unchanged.map(({ block }) => block)).toEqual([
    byIdentifier.get('first')!.uid,
  ]);
});

test('a flow that was done at once holds no place in its group, one that waits looks at nothing (Z1, Q2, Q5)', async () => {
  const rules = new Map([['news', { atOnce: 1 }]]);
  await applySharedFile(fixture.dataSource, ATTENTION_FILE, rules, { by: 'test' });
  for (const flow of ['one', 'two', 'three']) {
    const block = flow === 'two' ? card() : doneBy('true', card({ complete: 'finish' }));
    const definition = defineFlow({ flow, blocks: { [`hello-${flow}`]: block } });
    await fixture.commit({ ...definition, format: 2, attention: { group: 'news' } });
  }
  await fixture.catalogue.refresh();
  expect((await fixture.read(ada, 'one')).state.finished).toBe(true);
  expect((await fixture.read(ada, 'two')).state.started).toBe(true);
  expect(await fixture.read(ada, 'three')).toMatchObject({
    revision: 0,
    waits: { group: 'news', rule: 'at-once' },
  });
});

test('properties are read where it runs, and for nothing else; flows without it read none (Z1, P7)', async () => {
  const need = (blocks: FlowNotation['blocks'], asked: Parameters<typeof contextNeedOf>[0]) =>
    contextNeedOf(asked, { compiled: compile(defineFlow({ blocks })) } as ResolvedFlow);
  const take = { kind: 'transition', block: 'u-a', names: ['complete'] } as const;
  const done = { a: doneBy('true', card()) };
  expect([READ, BLOCK, take, { kind: 'stop' } as const].map((asked) => need(done, asked))).toEqual([
    'when-running',
    'when-running',
    'always',
    'never',
  ]);
  expect([READ, BLOCK, take].map((asked) => need({ a: card() }, asked))).toEqual([
    'never',
    'never',
    'never',
  ]);
});
