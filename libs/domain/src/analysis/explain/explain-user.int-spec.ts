import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Context, EMPTY_STATE, MIGRATION_STRATEGIES } from '@waymark/domain/engine';
import { pinFlow, unpinFlow } from '@waymark/domain/flows';
import {
  branch,
  card,
  checklist,
  custom,
  defineFlow,
  delay,
  doneBy,
  gate,
  modal,
} from '@waymark/testing/builders';
import { commandPlans, contexts, editedFlows, planned } from '@waymark/testing/generators';
import { cases, fc } from '@waymark/testing/properties';
import { Fixture } from '@waymark/testing/fixture';
import { type Explanation, type ExplainQuery, explainUser } from '../index.js';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await Fixture.open();
  await fixture.identifyAll(['ann', 'bob', 'cid', 'dan'], (index) => ({
    plan: index === 0 ? 'free' : 'pro',
    admin: index === 1,
  }));
});
afterAll(() => fixture.close());

const explain = (
  user: string,
  flow: string,
  more: Partial<ExplainQuery> = {},
): Promise<Explanation> =>
  explainUser(fixture.dataSource, fixture.environmentId, { user, flow, ...more });

test('what is done by itself: what it waits for, part by part, and what has finished the flow (I1, Z1, Z2)', async () => {
  const when = 'user.properties.plan == "gold" OR user.events["Paid"].count > 0';
  const pay = doneBy(when, card({ complete: 'finish' }));
  await fixture.commit(defineFlow({ flow: 'done', blocks: { pay } }));
  await fixture.read('cid', 'done');
  const waiting = await explain('cid', 'done');
  expect(waiting.done).toMatchObject([{ block: 'pay', condition: { source: when, value: false } }]);
  expect(waiting.reasons.slice(-3)).toEqual([
    `pay is done by itself once ${when} holds`,
    'user.properties.plan == "gold" is false: user.properties.plan is "pro"',
    'user.events["Paid"].count > 0 is false: user.events["Paid"].count is 0',
  ]);
  await fixture.track('cid', 'Paid');
  expect((await explain('cid', 'done')).reasons).toContain(
    'finished the next time the application asks, as its conditions hold',
  );
  await fixture.read('cid', 'done');
  expect((await explain('cid', 'done')).reasons.join()).toMatch(
    /finished at .* UTC by a condition by which a block is done/,
  );
});

test('where a delay waits: until when, and that a gate can still hear from it (I1, Z4)', async () => {
  const blocks = {
    'delayed-wait': delay('delayed-both', 2 * 86_400_000),
    'delayed-card': card({ complete: 'delayed-both' }),
    'delayed-both': gate('finish'),
  };
  const start = ['delayed-wait', 'delayed-card'];
  await fixture.commit(defineFlow({ flow: 'delayed', start, blocks }));
  await fixture.read('cid', 'delayed');
  await fixture.take('cid', 'delayed', 1, 'delayed-card', ['complete']);
  const { delays, gates, reasons } = await explain('cid', 'delayed');
  const { waiting } = (await fixture.findState('cid', 'delayed', 1))!.state;
  const until = new Date(waiting!['u-delayed-wait']!);
  expect(delays).toEqual([{ block: 'delayed-wait', until }]);
  expect(gates).toMatchObject([{ waitsFor: [{ block: 'delayed-wait', canCome: true }] }]);
  expect(reasons).toContainEqual(
    `delay delayed-wait goes on by itself at ${until.toISOString().slice(0, 19).replace('T', ' ')} UTC`,
  );
  expect((await explain('cid', 'done')).delays).toBeUndefined();
});

describe('why a user does not see a flow (I1)', () => {
  beforeAll(async () => {
    const when =
      'user.properties.plan == "pro" AND NOT exists(user.properties.left) AND user.createdAt > now() - days(14)';
    await fixture.commit(
      defineFlow({
        flow: 'pro',
        target: { users: 'matching', when },
        blocks: { 'pro-hello': card() },
      }),
    );
    await fixture.commit(
      defineFlow({
        flow: 'hidden',
        target: { users: 'api-only' },
        blocks: { 'hidden-hello': card() },
      }),
    );
  });

  test('the condition does not hold: every part is told with its value, missing properties by name', async () => {
    const { wouldStart, because, reasons, condition } = await explain('ann', 'pro');
    expect(wouldStart).toBe(false);
    expect(because).toBe(reasons[2]);
    expect(reasons).toEqual([
      'latest is version 1',
      'the user has never been in this flow',
      expect.stringMatching(
        /^it does not start for this user: user.properties.plan == "pro" AND .* does not hold$/,
      ),
      'user.properties.plan == "pro" is false: user.properties.plan is "free"',
      'exists(user.properties.left) is false: user.properties.left is missing',
      expect.stringMatching(
        /^user.createdAt > now\(\) - days\(14\) is true: user.createdAt is 2\d{3}-.*Z, now\(\) - days\(14\) is 2\d{3}-.*Z$/,
      ),
    ]);
    expect(condition).toMatchObject({
      value: false,
      parts: [
        {
          source: 'user.properties.plan == "pro"',
          value: false,
          parts: [{ source: 'user.properties.plan', value: 'free' }],
        },
        {
          source: 'NOT exists(user.properties.left)',
          parts: [{ parts: [{ missing: true, value: null }] }],
        },
        { value: true },
      ],
    });
  });

  test('without values it is told which parts hold, and nothing of what users are (M1)', async () => {
    const { reasons, condition } = await explain('ann', 'pro', { values: false });
    expect(reasons.slice(3)).toEqual([
      'user.properties.plan == "pro" is false',
      'exists(user.properties.left) is false',
      'user.createdAt > now() - days(14) is true',
    ]);
    expect(condition).toMatchObject({ value: false, parts: [] });
  });

  test('sentences quote no condition for readers who show it beside them (T15)', async () => {
    const { reasons, condition } = await explain('ann', 'pro', { quotes: false });
    expect(reasons.slice(2)).toEqual([
      'it does not start for this user: its condition does not hold',
    ]);
    expect(condition!.parts).toHaveLength(3);
    const { reasons: waiting, done } = await explain('dan', 'done', { quotes: false });
    expect(waiting.join()).not.toContain('user.properties');
    expect(done).toEqual([]);
    await fixture.read('dan', 'done');
    const there = await explain('dan', 'done', { quotes: false });
    expect(there.reasons.at(-1)).toBe('pay is done by itself once its condition holds');
    expect(there.done).toMatchObject([{ condition: { parts: [{ value: false }, {}] } }]);
  });

  test('it holds: the next read starts it', async () => {
    expect(await explain('bob', 'pro')).toMatchObject({
      wouldStart: true,
      condition: { value: true },
    });
    expect(await fixture.findState('bob', 'pro', 1)).toBeNull();
  });

  test('nobody enters an api-only flow by reading it', async () => {
    const { wouldStart, reasons } = await explain('bob', 'hidden');
    expect([wouldStart, reasons.at(-1)]).toEqual([false, expect.stringContaining('api-only')]);
  });

  test.each([
    [
      { target: { users: 'all', from: '2999-01-01' } },
      'it does not start by itself before 2999-01-01 UTC',
    ],
    [
      { target: { users: 'all', until: '2020-01-01' } },
      'it no longer starts by itself, since 2020-01-01 UTC',
    ],
    [{ end: '2020-01-01' }, /^it ended 2020-01-01 UTC: nothing starts in it/],
  ] as const)('the dates of the flow: %o (Z8)', async (dates, expected) => {
    const flow = `dated-${JSON.stringify(dates).length}`;
    const definition = defineFlow({ flow, blocks: { [`${flow}-a`]: card() } });
    await fixture.commit({ ...definition, ...dates, format: 2 });
    const { wouldStart, reasons } = await explain('bob', flow);
    expect([wouldStart, reasons.at(-1)]).toEqual([
      false,
      typeof expected === 'string' ? expected : expect.stringMatching(expected),
    ]);
  });

  test('a flow that runs past its end is stopped by that, not by a move (Z8)', async () => {
    const running = defineFlow({ flow: 'over', blocks: { 'over-a': card() } });
    await fixture.commit(running);
    await fixture.read('bob', 'over');
    await fixture.dataSource.query(
      `UPDATE flow_versions SET definition = definition || '{"format": 2, "end": "2020-01-01"}' WHERE flow = 'over'`,
    );
    const { reasons } = await explain('bob', 'over');
    expect(reasons).toContain('stopped the next time the application asks, as the flow has ended');
  });

  test('the goal of the flow, for one user now (Z7)', async () => {
    const goal = 'user.properties.seats > 1';
    await fixture.commit(defineFlow({ flow: 'aimed', goal, blocks: { 'aimed-a': card() } }));
    await fixture.identify('gil', { seats: 1 });
    const { goal: explained, reasons } = await explain('gil', 'aimed');
    expect(explained).toMatchObject({ source: goal, value: false });
    expect(reasons.slice(-2)).toEqual([
      `its goal does not hold: ${goal}`,
      `${goal} is false: user.properties.seats is 1`,
    ]);
    expect(await explain('bob', 'pro')).not.toHaveProperty('goal');
  });

  test('a user who was never identified is told so, and no more', async () => {
    expect(await explain('stranger', 'pro')).toEqual({
      user: 'stranger',
      flow: 'pro',
      version: 1,
      identified: false,
      wouldStart: false,
      reasons: [expect.stringContaining('never identified')],
      active: [],
      done: [],
      gates: [],
      items: [],
      branches: [],
    });
  });

  test('what is archived, what is only a draft, and what does not exist', async () => {
    await fixture.commit(defineFlow({ flow: 'gone', blocks: { 'gone-hello': card() } }));
    await fixture.dataSource.query("UPDATE flows SET archived_at = now() WHERE flow = 'gone'");
    expect(await explain('bob', 'gone')).toMatchObject({
      wouldStart: false,
      because: expect.stringContaining('archived'),
      reasons: [expect.stringContaining('archived')],
    });
    await fixture.apply(defineFlow({ flow: 'draft', blocks: { 'draft-hello': card() } }));
    expect(await explain('bob', 'draft')).toMatchObject({
      version: 0,
      wouldStart: true,
      because: expect.stringContaining('no committed version'),
    });
    expect((await explain('bob', 'draft')).reasons[0]).toContain('no committed version');
    await expect(explain('bob', 'nothing')).rejects.toMatchObject({ code: 'flow.unknown' });
    await expect(explain('bob', 'pro', { version: 7 })).rejects.toMatchObject({
      code: 'version.unknown',
    });
  });

  test('without one, group is the first of those of the user for which the condition holds (S33)', async () => {
    const when = 'group.properties.plan == "gold" AND group.properties.rank > 1';
    await fixture.commit(
      defineFlow({
        flow: 'member',
        target: { users: 'matching', when },
        blocks: { 'member-hello': card() },
      }),
    );
    await fixture.identifyGroup('beta', { plan: 'gold', rank: 1 });
    await fixture.identifyGroup('delta', { plan: 'gold', rank: 2 });
    await fixture.identifyGroup('alpha', { plan: 'free', rank: 2 });
    await fixture.join('bob', 'beta', 'delta', 'alpha');
    await fixture.join('cid', 'beta', 'alpha');
    await fixture.join('dan', 'beta');
    const told = await explain('bob', 'member');
    expect(told).toMatchObject({ wouldStart: true, condition: { value: true, group: 'delta' } });
    expect(told.reasons).toContain('group is delta, the first of 3 for which it holds');
    expect((await explain('bob', 'member', { group: 'beta' })).condition).toMatchObject({
      value: false,
      group: 'beta',
    });
    expect((await explain('cid', 'member')).condition).toMatchObject({
      value: false,
      group: 'alpha',
    });
    const reasonOf = async (user: string) =>
      (await explain(user, 'member')).reasons.find((one) => one.startsWith('group is'));
    expect(await reasonOf('cid')).toBe('group is alpha, the first of 2: it holds for none of them');
    expect(await reasonOf('dan')).toBe('group is beta, the only one that the user belongs to');
    expect(await reasonOf('ann')).toBe(
      'group is missing: none is named, and the user belongs to none',
    );
  });

  test('a group is the one that the application passes (S29)', async () => {
    const when = 'group.properties.seats > 10';
    await fixture.commit(
      defineFlow({
        flow: 'grouped',
        target: { users: 'matching', when },
        blocks: { 'grouped-hello': card() },
      }),
    );
    await fixture.identifyGroup('acme', { seats: 30 });
    expect(await explain('bob', 'grouped')).toMatchObject({ wouldStart: false });
    expect(await explain('bob', 'grouped', { group: 'acme' })).toMatchObject({ wouldStart: true });
    expect((await explain('bob', 'grouped', { group: 'unknown' })).reasons.at(-1)).toContain(
      'group.properties.seats is missing',
    );
  });
});

test('latest is the version that the environment pins, until it is unpinned (S34, I1)', async () => {
  const when = (plan: string) =>
    ({ users: 'matching', when: `user.properties.plan == "${plan}"` }) as const;
  for (const plan of ['free', 'pro'])
    await fixture.commit(
      defineFlow({ flow: 'held', target: when(plan), blocks: { 'held-a': card() } }),
    );
  await pinFlow(fixture.dataSource, fixture.environmentId, 'held', 1, { by: 'ann' });
  const told = await explain('bob', 'held');
  expect(told).toMatchObject({ version: 1, wouldStart: false });
  expect(told.reasons[0]).toBe(
    'latest is version 1, at which this environment is held; the newest version is 2',
  );
  expect(await explain('bob', 'held', { version: 2 })).toMatchObject({
    version: 2,
    wouldStart: true,
  });
  await unpinFlow(fixture.dataSource, fixture.environmentId, 'held', { by: 'ann' });
  expect(await explain('bob', 'held')).toMatchObject({ version: 2, wouldStart: true });
});

describe('where a user is and what is waited for (I1)', () => {
  beforeAll(async () => {
    const blocks = {
      welcome: modal({ complete: ['is-admin', 'side'], dismiss: 'finish' }),
      'is-admin': branch('user.properties.admin', { true: 'setup', false: 'other' }),
      setup: checklist(['invite', 'connect'], { complete: 'both' }),
      other: card({ complete: 'bye' }),
      side: card({ complete: 'both' }),
      both: gate('bye'),
      bye: card(),
    };
    await fixture.commit(defineFlow({ flow: 'onboarding', blocks }));
    for (const user of ['bob', 'cid']) {
      await fixture.read(user, 'onboarding');
      await fixture.take(user, 'onboarding', 1, 'welcome', ['complete']);
      await fixture.take(user, 'onboarding', 1, 'side', ['complete']);
    }
    await fixture.take('bob', 'onboarding', 1, 'invite', ['skip']);
  });

  test('active blocks and since when, items left, what a gate waits for, where branches sent them', async () => {
    const told = await explain('bob', 'onboarding');
    expect(told).toMatchObject({
      wouldStart: false,
      active: [
        { block: 'setup', since: expect.any(Date) },
        { block: 'connect', since: expect.any(Date) },
      ],
      items: [{ block: 'setup', left: ['connect'] }],
      gates: [{ block: 'both', received: ['side'], waitsFor: [{ block: 'setup', canCome: true }] }],
      branches: [{ block: 'is-admin', outcome: true, at: expect.any(Date) }],
    });
    expect(told.reasons).toEqual([
      'latest is version 1',
      expect.stringMatching(/^started at .* UTC by /),
      'in progress: once in, a user stays in, whatever the targeting says now',
      expect.stringMatching(/^setup is active since /),
      'setup waits for connect',
      'gate both has heard from side and waits for setup, which can still come',
      expect.stringMatching(/^branch is-admin was true at /),
    ]);
  });

  test('people read titles instead of identifiers (T16)', async () => {
    const titled = (title: string) => [{ sid: 'title', type: 'string' as const, value: title }];
    await fixture.commit({
      ...defineFlow({
        flow: 'titled',
        start: ['hello', 'again', 'plain'],
        blocks: { hello: custom({}, titled('Hi')), again: custom({}, titled('Hi')), plain: card() },
      }),
      name: 'Our tour',
    });
    await fixture.read('bob', 'titled');
    const { reasons } = await explain('bob', 'titled', { titles: true });
    expect(reasons.filter((reason) => reason.includes('is active'))).toEqual([
      expect.stringMatching(/^“Hi” \(hello\) is active since/),
      expect.stringMatching(/^“Hi” \(again\) is active since/),
      expect.stringMatching(/^plain is active since/),
    ]);
  });

  test('a gate whose input lies behind the other outcome of a branch can never pass', async () => {
    expect(await explain('cid', 'onboarding')).toMatchObject({
      gates: [{ block: 'both', waitsFor: [{ block: 'setup', canCome: false }] }],
    });
  });

  test('who ended it, and when', async () => {
    await fixture.read('dan', 'onboarding');
    await fixture.take('dan', 'onboarding', 1, 'welcome', ['dismiss']);
    const { because, reasons } = await explain('dan', 'onboarding');
    expect(because).toBe(reasons[2]);
    expect(reasons).toEqual([
      'latest is version 1',
      expect.stringMatching(/^started at .* UTC by /),
      expect.stringMatching(/^finished at .* UTC by taking dismiss on welcome$/),
      'it does not start again by itself; a reset would start it',
    ]);
  });

  test('an older state is taken over by the next read, and what was carried keeps its time', async () => {
    const blocks = { hello: modal({ complete: 'finish' }), more: card() };
    await fixture.commit(defineFlow({ flow: 'moved', start: 'hello', blocks }));
    await fixture.read('bob', 'moved');
    await fixture.commit(defineFlow({ flow: 'moved', start: ['hello', 'more'], blocks }));
    const before = await explain('bob', 'moved');
    expect(before.reasons.slice(0, 3)).toEqual([
      'latest is version 2',
      'the user is in version 1, and moves to version 2 the next time the application asks, keeping their place',
      expect.stringContaining('started at'),
    ]);
    await fixture.read('bob', 'moved');
    expect((await explain('bob', 'moved')).active).toEqual(before.active);
    expect((await explain('bob', 'moved', { version: 1 })).reasons[0]).toContain(
      'has been in version 2 too',
    );
  });
});

test('what is said of entering is what the next read does (I1, S33, S34)', async () => {
  let run = 0;
  const lives = fc.record({
    flows: editedFlows(),
    plans: commandPlans(),
    came: fc.boolean(),
    edits: fc.boolean(),
    // Whether a lower version is pinned, and whether the user has met the higher one before.
    pins: fc.boolean(),
    met: fc.boolean(),
    strategy: fc.constantFrom(...MIGRATION_STRATEGIES),
    context: contexts(),
  });
  await fc.assert(
    fc.asyncProperty(lives, async ({ flows, plans, came, edits, pins, met, strategy, context }) => {
      const flow = `explained-${++run}`;
      const user = `user-${run}`;
      await fixture.identify(user, context.user.properties);
      await joinGroups(user, context);
      await fixture.commit({ ...flows.before, flow });
      for (const plan of came ? plans : []) {
        const state = (await fixture.findState(user, flow, 1))?.state ?? EMPTY_STATE;
        await fixture.run(user, flow, 1, planned({ ...flows.before, flow }, state, plan));
      }
      const last = edits ? await fixture.commit({ ...flows.after, flow }, strategy) : 1;
      if (met) await fixture.read(user, flow);
      if (pins) await pinFlow(fixture.dataSource, fixture.environmentId, flow, 1, { by: 'ann' });
      await fixture.catalogue.refresh();
      const told = await explain(user, flow);
      expect(told.version).toBe(pins ? 1 : last);
      expect(
        told.reasons.some((reason) => reason.includes('at which this environment is held')),
      ).toBe(pins);
      const events = async () => (await fixture.loadEvents(user, flow, told.version)).length;
      const migrates = (await fixture.run(user, flow, 'latest', { kind: 'read', starts: false }))
        .tookEffect;
      const before = await events();
      const { state } = await fixture.read(user, flow);
      expect(told.wouldStart).toBe((await events()) > before);
      expect(told.reasons.some((reason) => reason.includes('and moves to version'))).toBe(
        migrates || told.reasons.some((reason) => reason.includes('nothing of it is left')),
      );
      if (!told.wouldStart) {
        const active = Object.keys(state.blocks).filter((uid) => state.blocks[uid]?.active);
        expect(told.active).toHaveLength(active.length);
      }
    }),
    { numRuns: cases(60) },
  );
});

/** The groups of a generated user, which nobody else belongs to. */
async function joinGroups(user: string, { groups = [] }: Context): Promise<void> {
  for (const { identifier, properties } of groups)
    await fixture.identifyGroup(`${identifier}-${user}`, properties);
  await fixture.join(user, ...groups.map(({ identifier }) => `${identifier}-${user}`));
}
