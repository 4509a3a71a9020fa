import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type FlowDefinition,
  MIGRATION_STRATEGIES,
  type MigrationStrategy,
} from '@waymark/domain/engine';
import { pinFlow, unpinFlow } from '@waymark/domain/flows';
import { userId } from '@waymark/domain/users';
import {
  type BlockOf,
  branch,
  card,
  checklist,
  defineFlow,
  delay,
  doneBy,
  gate,
  trigger,
  webhook,
} from '@waymark/testing/builders';
import { Fixture } from '@waymark/testing/fixture';
import { type Plan, planFlows, type PlanInput, type PlanOptions } from '../index.js';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await Fixture.open();
  await fixture.identifyAll(['ann', 'bob', 'cid', 'dan'], (index) => ({
    admin: index === 0,
    seats: index,
  }));
});
afterAll(() => fixture.close());

async function plan(
  definition: FlowDefinition,
  input: Partial<PlanInput> = {},
  options?: PlanOptions,
): Promise<Plan> {
  const whole = {
    definitions: [definition],
    strategies: ['carry-over' as MigrationStrategy],
    ...input,
  };
  return (await planFlows(fixture.dataSource, fixture.environmentId, whole, options))[0]!;
}

describe('what a commit would do (I2)', () => {
  const before = defineFlow({
    flow: 'hello',
    blocks: { hello: card({ complete: 'tips' }), tips: card({ complete: 'finish' }) },
  });
  const after = defineFlow({ flow: 'hello', blocks: { hello: card({ complete: 'finish' }) } });
  beforeAll(async () => {
    await fixture.commit(before);
    for (const user of ['ann', 'bob', 'cid']) await fixture.read(user, 'hello');
    await fixture.take('ann', 'hello', 1, 'hello', ['complete']);
    await fixture.run('cid', 'hello', 1, { kind: 'finish' });
  });

  test('users by what happens to them, the difference in words, and examples where they are asked for', async () => {
    expect(await plan(after, { examples: 2 })).toMatchObject({
      flow: 'hello',
      version: 2,
      migration: 'carry-over',
      differs: true,
      differences: [{ kind: 'removed' }, { kind: 'changed' }],
      users: {
        total: 3,
        kept: 2,
        restarted: 1,
        stopped: 0,
        finished: 0,
        losing: 1,
        lost: { tips: 1 },
        gates: {},
        dependsOnGroup: 0,
      },
      effects: {},
      examples: [
        { what: 'restarted', users: ['ann'] },
        { what: 'lost', block: 'tips', users: ['ann'] },
      ],
    });
    expect((await plan(after)).examples).toEqual([]);
  });

  test('who loses a container and an item of it is one user, not two (I2)', async () => {
    const list = { list: checklist(['one', 'two']), hello: card() };
    await fixture.commit(defineFlow({ flow: 'listed', blocks: list }));
    await fixture.read('ann', 'listed');
    const { users } = await plan(defineFlow({ flow: 'listed', blocks: { hello: card() } }));
    expect(users).toMatchObject({ total: 1, losing: 1 });
    expect(Object.keys(users.lost).length).toBeGreaterThan(1);
  });

  test('each strategy is a plan of its own, made in one go', async () => {
    const strategies = [...MIGRATION_STRATEGIES];
    const plans = await planFlows(fixture.dataSource, fixture.environmentId, {
      definitions: [after],
      strategies,
    });
    expect(
      plans.map(({ migration, users: { kept, restarted, stopped } }) => [
        migration,
        kept,
        restarted,
        stopped,
      ]),
    ).toEqual([
      ['carry-over', 2, 1, 0],
      ['restart-in-progress', 1, 2, 0],
      ['restart-all', 0, 3, 0],
      ['stop-in-progress', 1, 0, 2],
    ]);
  });

  test('webhooks and triggers are counted by block, those of triggered flows one level deep', async () => {
    const blocks = { 'tip-hook': webhook('tip'), tip: card() };
    await fixture.commit(defineFlow({ flow: 'tips', blocks }));
    const firing = defineFlow({
      flow: 'hello',
      blocks: { hook: webhook('call'), call: trigger('tips', 'start', 'new'), new: card() },
    });
    const { effects } = await plan(firing, { strategies: ['restart-in-progress'] });
    expect(effects).toEqual({ hook: 2, call: 2, 'tips.tip-hook': 2 });
    await fixture.read('bob', 'tips');
    expect((await plan(firing, { strategies: ['restart-in-progress'] })).effects).toEqual({
      hook: 2,
      call: 2,
      'tips.tip-hook': 1,
    });
  });

  test('gates that are passed by it', async () => {
    const waiting = defineFlow({
      flow: 'gated',
      start: ['one', 'two'],
      blocks: {
        one: card({ complete: 'both' }),
        two: card({ complete: 'both' }),
        both: gate('last'),
        last: card(),
      },
    });
    await fixture.commit(waiting);
    await fixture.read('ann', 'gated');
    await fixture.take('ann', 'gated', 1, 'one', ['complete']);
    const without = defineFlow({
      flow: 'gated',
      start: ['one', 'other'],
      blocks: { one: card({ complete: 'both' }), both: gate('last'), last: card(), other: card() },
    });
    const open = {
      ...without,
      blocks: without.blocks.map((block) => (block.id === 'other' ? waiting.blocks[1]! : block)),
      start: ['one', 'two'],
    };
    open.blocks = open.blocks.map((block) =>
      block.id === 'two' ? { ...block, paths: [] } : block,
    ) as typeof open.blocks;
    expect(await plan(open)).toMatchObject({ users: { kept: 1, gates: { both: 1 } } });
  });

  test('who waits in a delay whose time is another one, and keeps until when (Z4)', async () => {
    const waiting = (days: number, hours: number) =>
      defineFlow({
        flow: 'waiting',
        start: ['short', 'long'],
        blocks: {
          short: delay('then', hours * 3_600_000),
          long: delay('then', days * 86_400_000),
          then: card(),
        },
      });
    await fixture.commit(waiting(2, 1));
    for (const user of ['ann', 'bob']) await fixture.read(user, 'waiting');
    await fixture.run('bob', 'waiting', 1, { kind: 'stop' });
    const { users } = await plan(waiting(5, 1));
    expect(users).toMatchObject({ total: 2, kept: 2, delays: { long: 1 } });
    expect((await plan(waiting(2, 1))).users).not.toHaveProperty('delays');
    const [restarted] = await planFlows(fixture.dataSource, fixture.environmentId, {
      definitions: [waiting(5, 1)],
      strategies: ['restart-in-progress'],
    });
    expect(restarted!.users).not.toHaveProperty('delays');
  });

  test('who would enter at the next read and would not now, and the other way round', async () => {
    const target = (when: string) => ({ users: 'matching', when }) as const;
    const flow = (when: string) =>
      defineFlow({ flow: 'aimed', target: target(when), blocks: { aimed: card() } });
    await fixture.commit(flow('user.properties.seats < 2'));
    expect(
      await plan(flow('user.properties.seats > 0'), { entries: true, examples: 9 }),
    ).toMatchObject({
      entries: { enter: 2, leave: 1 },
      examples: expect.arrayContaining([{ what: 'leave', users: ['ann'] }]),
    });
    expect(await plan(flow('user.properties.seats > 0'))).not.toHaveProperty('entries');
  });

  test('it is told for requests that name no group, and for how many a named one would make a difference (S33)', async () => {
    const blocks = {
      big: branch('group.properties.seats > 10', { true: 'thanks', false: 'small' }),
      thanks: card(),
      small: webhook('offer'),
      offer: card(),
    };
    await fixture.commit(defineFlow({ flow: 'groups', blocks: { 'groups-one': card() } }));
    for (const user of ['ann', 'bob', 'cid']) await fixture.read(user, 'groups');
    await fixture.identifyGroup('acme', { seats: 5 });
    await fixture.identifyGroup('beta', { seats: 50 });
    await fixture.join('ann', 'acme', 'beta');
    await fixture.join('bob', 'beta');
    expect(await plan(defineFlow({ flow: 'groups', blocks }))).toMatchObject({
      users: { total: 3, restarted: 3, dependsOnGroup: 1 },
      effects: { small: 1 },
      notes: expect.arrayContaining([expect.stringContaining('name no group')]),
    });
  });

  test('users in the same state are told apart by the properties that a branch looks at, and by nothing else (I2)', async () => {
    const blocks = (when: string) => ({
      rich: branch(when, { true: 'alike-hook', false: 'alike-poor' }),
      'alike-hook': webhook('alike-poor'),
      'alike-poor': card(),
    });
    const flow = (when: string) => defineFlow({ flow: 'alike', blocks: blocks(when) });
    await fixture.commit(defineFlow({ flow: 'alike', blocks: { 'alike-one': card() } }));
    const users = Array.from({ length: 9 }, (_, index) => `alike-${index}`);
    const large = 'x'.repeat(5_000);
    await fixture.identifyAll(users, (index) => ({
      seats: index % 3,
      name: `user ${index}`,
      ...(index === 8 && { note: large }),
    }));
    for (const user of users) await fixture.read(user, 'alike');
    const fired = async (when: string) => {
      const { users: counted, effects } = await plan(flow(when), { strategies: ['restart-all'] });
      expect(counted).toMatchObject({ total: 9, restarted: 9 });
      return effects['alike-hook'] ?? 0;
    };
    expect(await fired('user.properties.seats > 0')).toBe(6);
    expect(await fired('exists(user.properties.note)')).toBe(1);
    expect(
      await fired(`length(user.properties.note) == ${large.length} OR user.properties.seats == 1`),
    ).toBe(4);
    expect(await fired('user.properties.name == "user 4"')).toBe(1);
    expect(await fired('user.identifier == "alike-4" OR user.properties.seats == 2')).toBe(4);
    expect(await fired('user.createdAt > now() - days(1) AND user.properties.seats == 0')).toBe(3);
    expect(await fired('length(user.properties) == 3')).toBe(0);
    await fixture.dataSource.query("DELETE FROM users WHERE identifier LIKE 'alike-%'");
  });

  test.each([
    ['a property', 'user.properties.seats > 1', 2],
    ['what they did', 'user.events["Paid"].count > 0', 1],
    [
      'a property or what they did',
      'user.properties.seats > 2 OR user.events["Paid"].count > 0',
      2,
    ],
  ])(
    'users in the same state are kept apart by %s, where something is done by itself (I2, Z1, Z2)',
    async (_, when, finished) => {
      const flow = `done by ${when}`.replaceAll(/[^a-z]+/gi, '-').replace(/-$/, '');
      const blocks = (id: string) => ({ [`${flow}-${id}`]: card({ complete: 'finish' }) });
      await fixture.commit(defineFlow({ flow, blocks: blocks('a') }));
      await fixture.track('bob', 'Paid');
      for (const user of ['ann', 'bob', 'cid', 'dan']) await fixture.read(user, flow);
      const [[id, block]] = Object.entries(blocks('a')) as [[string, BlockOf]];
      const next = defineFlow({ flow, blocks: { [id]: doneBy(when, block) } });
      expect((await plan(next)).users).toMatchObject({ finished });
      await fixture.commit(next);
      const reads = [];
      for (const user of ['ann', 'bob', 'cid', 'dan']) reads.push(await fixture.read(user, flow));
      expect(reads.filter(({ state }) => state.finished)).toHaveLength(finished);
    },
  );

  test('groups of users decide who would enter, and what triggered flows fire (S33)', async () => {
    const target = { users: 'matching', when: 'group.properties.seats > 10' } as const;
    const rich = {
      rich: branch('group.properties.seats > 10', { true: 'rich-hook', false: 'poor' }),
      'rich-hook': webhook('poor'),
      poor: card(),
    };
    await fixture.commit(defineFlow({ flow: 'rich', blocks: rich }));
    await fixture.commit(defineFlow({ flow: 'firing', blocks: { 'firing-one': card() } }));
    for (const user of ['bob', 'cid']) await fixture.read(user, 'firing');
    const firing = defineFlow({
      flow: 'firing',
      target,
      blocks: { 'fire-it': trigger('rich', 'start', 'fired'), fired: card() },
    });
    expect(
      await plan(firing, { strategies: ['restart-in-progress'], entries: true, examples: 9 }),
    ).toMatchObject({
      effects: { 'fire-it': 2, 'rich.rich-hook': 1 },
      entries: { enter: 0, leave: 1 },
      examples: expect.arrayContaining([{ what: 'leave', users: ['dan'] }]),
    });
  });

  test('where a version is pinned, readers do not meet the commit: now is the pinned one, and then is after it (S34)', async () => {
    const author = { by: 'ann' };
    const target = (when: string) => ({ users: 'matching', when }) as const;
    const flow = (when: string, id = 'pinned-a') =>
      defineFlow({ flow: 'held', target: target(when), blocks: { [id]: card() } });
    await fixture.commit(flow('user.properties.seats > 0'));
    await fixture.commit(flow('user.properties.seats > 2'));
    await fixture.read('dan', 'held', 2);
    await pinFlow(fixture.dataSource, fixture.environmentId, 'held', 1, author);
    const next = flow('user.properties.seats > 1', 'pinned-b');
    const told = await plan(next, { entries: true, examples: 9 });
    // bob, cid and dan would enter the pinned one, where dan has no state; his of version 2 is
    // restarted by the planned one.
    expect(told).toMatchObject({
      version: 3,
      pinned: 1,
      users: { total: 1, restarted: 1, lost: { 'pinned-a': 1 } },
      entries: { enter: 0, leave: 2 },
      notes: expect.arrayContaining([
        expect.stringMatching(/^version 1 is pinned here: readers of latest do not meet this one/),
      ]),
    });
    await fixture.commit(next);
    expect((await fixture.read('cid', 'held')).state.blocks).toHaveProperty('u-pinned-a');
    await unpinFlow(fixture.dataSource, fixture.environmentId, 'held', author);
    expect(await plan(flow('user.properties.seats > 1', 'pinned-c'))).not.toHaveProperty('pinned');
  });

  test('a triggered flow is met in the version that is pinned, planned or not (S34)', async () => {
    const tips = (id: string) =>
      defineFlow({ flow: 'tipped', blocks: { [id]: webhook('tipped-tip'), 'tipped-tip': card() } });
    await fixture.commit(tips('old-hook'));
    await fixture.commit(tips('new-hook'));
    await fixture.commit(defineFlow({ flow: 'tipping', blocks: { 'tipping-one': card() } }));
    await fixture.read('ann', 'tipping');
    const firing = defineFlow({
      flow: 'tipping',
      blocks: { tip: trigger('tipped', 'start', 'two'), two: card() },
    });
    const effects = async () => {
      const input = {
        definitions: [firing, tips('planned-hook')],
        strategies: ['restart-all'],
      } as const;
      return (await planFlows(fixture.dataSource, fixture.environmentId, input))[0]!.effects;
    };
    expect(await effects()).toEqual({ tip: 1, 'tipped.planned-hook': 1 });
    await pinFlow(fixture.dataSource, fixture.environmentId, 'tipped', 1, { by: 'ann' });
    expect(await effects()).toEqual({ tip: 1, 'tipped.old-hook': 1 });
  });

  test('nothing that differs, nobody to look at; a flow that nobody knows yet; a sample; a stop', async () => {
    expect(await plan(before)).toMatchObject({
      version: 1,
      differs: false,
      differences: [],
      users: { total: 0 },
    });
    expect(await plan(defineFlow({ flow: 'brand-new', blocks: { b: card() } }))).toMatchObject({
      version: 1,
      users: { total: 0 },
    });
    expect(await plan(after, { sample: 2 })).toMatchObject({
      users: { total: 2 },
      sampled: { users: 2 },
    });
    const told: number[] = [];
    await plan(after, {}, { onProgress: (_, users) => told.push(users) });
    expect(told.at(-1)).toBe(3);
    await expect(
      plan(after, {}, { signal: AbortSignal.abort(new Error('enough')) }),
    ).rejects.toThrow('enough');
  });

  test('users of another environment are none of its business (R9)', async () => {
    const [other] = (await fixture.dataSource.query(
      "SELECT id FROM environments WHERE name = 'production'",
    )) as { id: string }[];
    const [none] = await planFlows(fixture.dataSource, other!.id, {
      definitions: [after],
      strategies: ['restart-all'],
    });
    expect(none!.users.total).toBe(0);
  });

  test('it writes nothing (I3)', async () => {
    const count = () =>
      fixture.dataSource.query(
        'SELECT (SELECT count(*) FROM flow_states) s, (SELECT count(*) FROM effects) e, (SELECT count(*) FROM block_uids) b',
      );
    const counted = await count();
    await plan(after, { strategies: ['restart-all'], entries: true });
    expect(await count()).toEqual(counted);
  });

  test('users who are equal are each counted and named, of a sample those with the lowest ids (I2)', async () => {
    const users = ['dot', 'eve', 'fay', 'gus', '"quoted", \\ {named}'];
    await fixture.identifyAll(users, () => ({}));
    await fixture.commit({ ...before, flow: 'equal' });
    for (const user of users) await fixture.read(user, 'equal');
    const next = { ...after, flow: 'equal' };
    const options = { strategies: ['restart-all'] as const, examples: 9 };
    const whole = await plan(next, options);
    expect(whole.users).toMatchObject({ total: 5, restarted: 5, losing: 0 });
    const { environmentId } = fixture;
    const byId = (one: string, other: string) =>
      userId(environmentId, one) < userId(environmentId, other) ? -1 : 1;
    const sorted = [...users].sort(byId);
    expect(whole.examples.map((example) => example.users)).toEqual([sorted]);
    const sample = await plan(next, { ...options, sample: 2 });
    expect(sample.users).toMatchObject({ total: 2, restarted: 2 });
    expect(sample.examples[0]!.users).toEqual(sorted.slice(0, 2));
  });
});
