import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Answer, FlowDefinition } from '@waymark/domain/engine';
import {
  blockState,
  compile,
  EMPTY_STATE,
  exposedBlocks,
  fold,
  isRunning,
  MIGRATION_STRATEGIES,
} from '@waymark/domain/engine';
import { pinFlow } from '@waymark/domain/flows';
import { ResetUsers, undoReset } from '@waymark/domain/states';
import { userId } from '@waymark/domain/users';
import { branch, card, checklist, defineFlow, delay, modal } from '@waymark/testing/builders';
import { commandPlans, contexts, editedFlows, planned } from '@waymark/testing/generators';
import { cases, fc } from '@waymark/testing/properties';
import { Fixture } from '@waymark/testing/fixture';
import { findUsers } from '../../records/index.js';
import {
  ANSWER_CURSOR,
  explainUser,
  type FlowReport,
  listAnswers,
  reportFlow,
  type ReportInput,
} from '../index.js';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await Fixture.open();
});
afterAll(() => fixture.close());

const report = (
  input: ReportInput,
  options?: Parameters<typeof reportFlow>[3],
): Promise<FlowReport> => reportFlow(fixture.dataSource, fixture.environmentId, input, options);

const onboarding = defineFlow({
  flow: 'onboarding',
  blocks: {
    welcome: modal({ complete: 'is-admin', dismiss: 'finish' }),
    'is-admin': branch('user.properties.admin', { true: 'setup', false: 'bye' }),
    setup: checklist(['invite', 'connect'], { complete: 'bye', dismiss: 'finish' }),
    bye: card(),
  },
});

describe('a funnel in users (E13)', () => {
  beforeAll(async () => {
    await fixture.commit(onboarding);
    await fixture.identifyAll(['ann', 'bob', 'cid', 'dan', 'eve'], (index) => ({
      admin: index < 2,
      seats: index,
    }));
    for (const user of ['ann', 'bob', 'cid', 'dan']) await fixture.read(user, 'onboarding');
    for (const user of ['ann', 'bob', 'cid'])
      await fixture.take(user, 'onboarding', 1, 'welcome', ['complete']);
    await fixture.take('ann', 'onboarding', 1, 'invite', ['skip']);
    await fixture.run('bob', 'onboarding', 1, { kind: 'stop' });
    await fixture.take('dan', 'onboarding', 1, 'welcome', ['dismiss']);
  });

  test('users are told by flags and by block: who came, who is there, who left by which name, who was lost', async () => {
    const { blocks, ...flags } = await report({ flow: 'onboarding' });
    expect(flags).toMatchObject({
      flow: 'onboarding',
      version: 1,
      users: 4,
      started: 4,
      inProgress: 2,
      finished: 1,
      stopped: 1,
    });
    expect(
      blocks.map(({ block, reached, now, left, lost }) => [block, reached, now, left, lost]),
    ).toEqual([
      ['welcome', 4, 0, { complete: 3, dismiss: 1 }, 0],
      ['setup', 2, 1, { complete: 0, dismiss: 0 }, 1],
      ['invite', 2, 0, { complete: 0, skip: 1 }, 1],
      ['connect', 2, 1, { complete: 0, skip: 0 }, 1],
      ['bye', 1, 1, { complete: 0, dismiss: 0 }, 0],
    ]);
    // Users who stopped have started as well; all on the day of this test, or on two if midnight
    // passes during it.
    const sum = (flag: 'started' | 'finished') =>
      flags.days.reduce((total, day) => total + day[flag], 0);
    expect([sum('started'), sum('finished')]).toEqual([4, 1]);
    expect(flags.days.map(({ day }) => day)).toContain(new Date().toISOString().slice(0, 10));
    expect(blocks[0]).toMatchObject({ paths: { 'is-admin': 3, finish: 1 } });
    expect(blocks[2]).toMatchObject({ container: 'setup', type: 'checklistItem' });
  });

  test('outcomes of branches and times come from events', async () => {
    const events = (await fixture.dataSource.query(
      'SELECT user_id AS "userId", at FROM flow_events WHERE revision = 1',
    )) as { userId: string; at: Date }[];
    const minutes = new Map([
      [userId(fixture.environmentId, 'ann'), 1],
      [userId(fixture.environmentId, 'bob'), 2],
    ]);
    for (const event of events)
      await fixture.dataSource.query(
        'UPDATE flow_events SET at = $2 WHERE user_id = $1 AND revision = 1',
        [event.userId, new Date(event.at.getTime() - 60_000 * (minutes.get(event.userId) ?? 5))],
      );
    const { blocks, branches, followed } = await report({ flow: 'onboarding' });
    expect(branches).toEqual([{ block: 'is-admin', outcomes: { true: 2, false: 1 } }]);
    expect(followed).toBe(4);
    const [welcome, setup, invite] = blocks;
    expect(Math.floor(welcome!.seconds.median! / 60)).toBe(2);
    expect(Math.floor(welcome!.seconds.p90! / 60)).toBe(5);
    expect(setup!.seconds).toEqual({ median: null, p90: null });
    expect(invite!.seconds.median).toBeLessThan(60);
  });

  test('answers are those since the last reset, and of whom the report is about (Z3)', async () => {
    await fixture.commit(
      defineFlow({ flow: 'asks', blocks: { nps: card({ complete: 'nps' }), end: card() } }),
    );
    const answer = async (user: string, data: Answer) => {
      await fixture.read(user, 'asks');
      await fixture.run(user, 'asks', 1, {
        kind: 'transition',
        block: 'u-nps',
        names: ['complete'],
        data,
      });
    };
    await answer('ann', { score: 1, why: 'slow' });
    await fixture.run('ann', 'asks', 1, { kind: 'reset', force: true });
    await answer('ann', { score: 8, why: 'quick' });
    await answer('ann', { score: 10 });
    await answer('bob', { score: 3, why: 'quick' });
    const { blocks } = await report({ flow: 'asks' });
    expect(blocks.map(({ answers }) => answers)).toEqual([
      [
        {
          key: 'score',
          count: 3,
          numbers: expect.objectContaining({ count: 3, mean: 7, min: 3, max: 10 }),
        },
        { key: 'why', count: 2, texts: [{ text: 'quick', count: 2 }], otherTexts: 0 },
      ],
      undefined,
    ]);
    const [nps] = (await report({ flow: 'asks', when: 'user.identifier == "bob"' })).blocks;
    expect(nps!.answers![0]).toMatchObject({ count: 1, numbers: { mean: 3 } });
    const list = (
      options?: { before?: string; limit?: number },
      environment = fixture.environmentId,
    ) => listAnswers(fixture.dataSource, environment, 'asks', 1, options);
    const { answers, next } = await list({ limit: 3 });
    expect(answers.map(({ user, block, data }) => [user, block, data])).toEqual([
      ['bob', 'nps', { score: 3, why: 'quick' }],
      ['ann', 'nps', { score: 10 }],
      ['ann', 'nps', { score: 8, why: 'quick' }],
    ]);
    expect(next).toMatch(ANSWER_CURSOR);
    expect(await list({ limit: 3, before: next! })).toEqual({
      answers: [
        {
          user: 'ann',
          at: expect.any(Date),
          block: 'nps',
          names: ['complete'],
          data: { score: 1, why: 'slow' },
        },
      ],
    });
    expect(await list({}, '00000000-0000-0000-0000-000000000000')).toEqual({ answers: [] });
  });

  test('the place of a page is one that can be read, whatever somebody writes in an address (Z3)', async () => {
    const some = '0123abcd-0000-0000-0000-000000000000';
    for (const before of [`2026-02-30T99:99:99.999999Z ${some} 1`, `1 ${'-'.repeat(36)} 1`])
      expect(before).not.toMatch(ANSWER_CURSOR);
    for (const before of [`0 ${some} 0`, `${'9'.repeat(16)} ${some} 999999999`]) {
      expect(before).toMatch(ANSWER_CURSOR);
      const asked = { before, limit: 1 };
      await listAnswers(fixture.dataSource, fixture.environmentId, 'asks', 1, asked);
    }
  });

  test('only users whom a condition is about, or who came since a time', async () => {
    expect(await report({ flow: 'onboarding', when: 'user.properties.seats >= 2' })).toMatchObject({
      users: 2,
      finished: 1,
    });
    await fixture.dataSource.query(
      "UPDATE flow_states SET created_at = now() - interval '2 days' WHERE user_id = $1",
      [userId(fixture.environmentId, 'ann')],
    );
    expect(
      await report({ flow: 'onboarding', since: new Date(Date.now() - 86_400_000) }),
    ).toMatchObject({ users: 3 });
    await expect(report({ flow: 'onboarding', when: 'user.plan =' })).rejects.toMatchObject({
      code: 'request.invalid',
    });
  });

  test('a sample is the lowest user ids and says its margin; everybody is no sample', async () => {
    const sampled = await report({ flow: 'onboarding', sample: 2 });
    expect(sampled).toMatchObject({ users: 2, sampled: { users: 2, margin: 0.693 } });
    expect(await report({ flow: 'onboarding', sample: 4 })).not.toHaveProperty('sampled');
  });

  test('users of another environment are not counted (R9)', async () => {
    const [other] = (await fixture.dataSource.query(
      "SELECT id FROM environments WHERE name = 'production'",
    )) as { id: string }[];
    expect(await reportFlow(fixture.dataSource, other!.id, { flow: 'onboarding' })).toMatchObject({
      users: 0,
      started: 0,
    });
  });

  test('a condition on the group holds for those of whom one group is so, throughout (S33)', async () => {
    await fixture.identifyGroup('acme', { plan: 'gold', seats: 5 });
    await fixture.identifyGroup('beta', { plan: 'free', seats: 50 });
    await fixture.join('ann', 'acme', 'beta');
    await fixture.join('bob', 'beta');
    const count = async (when: string) => (await report({ flow: 'onboarding', when })).users;
    expect(await count('group.properties.plan == "gold"')).toBe(1);
    expect(await count('group.properties.seats > 10')).toBe(2);
    expect(await count('group.properties.plan == "gold" AND group.properties.seats > 10')).toBe(0);
    expect(await count('group.identifier == null')).toBe(2);
  });

  test('latest is the version that the environment pins (S34)', async () => {
    const flow = (id: string) => defineFlow({ flow: 'held', blocks: { [id]: card() } });
    await fixture.commit(flow('held-a'));
    await fixture.read('ann', 'held', 1);
    await fixture.commit(flow('held-b'));
    expect(await report({ flow: 'held' })).toMatchObject({ version: 2, users: 0 });
    await pinFlow(fixture.dataSource, fixture.environmentId, 'held', 1, { by: 'ann' });
    expect(await report({ flow: 'held' })).toMatchObject({
      version: 1,
      users: 1,
      blocks: [{ block: 'held-a', now: 1 }],
    });
    expect(await report({ flow: 'held', version: 'all' })).toMatchObject({
      blocks: [{ block: 'held-b' }, { block: 'held-a' }],
    });
  });

  test('what is not there is refused', async () => {
    await expect(report({ flow: 'nothing' })).rejects.toMatchObject({ code: 'flow.unknown' });
    await expect(report({ flow: 'onboarding', version: 7 })).rejects.toMatchObject({
      code: 'version.unknown',
    });
    await fixture.apply(defineFlow({ flow: 'young', blocks: { young: card() } }));
    expect(await report({ flow: 'young' })).toMatchObject({ version: 0, users: 0 });
    await expect(report({ flow: 'young', version: 'all' })).rejects.toMatchObject({
      code: 'version.unknown',
    });
  });

  test('it tells how far it is, and stops when it is told to', async () => {
    const told: number[] = [];
    await report({ flow: 'onboarding' }, { onProgress: (_, done) => told.push(done) });
    expect(told.at(-1)).toBe(1);
    expect([...told].sort((a, b) => a - b)).toEqual(told);
    const stopped = report(
      { flow: 'onboarding' },
      { signal: AbortSignal.abort(new Error('enough')) },
    );
    await expect(stopped).rejects.toThrow('enough');
  });
});

describe('the goal of a flow (Z7)', () => {
  const GOAL = 'user.properties.seats >= 7 OR group.properties.plan == "gold"';
  /** The same in SQL, which counts the users for whom it holds, by their flags. */
  const IN_SQL = `
    SELECT count(*) FILTER (WHERE started)::int AS started,
      count(*) FILTER (WHERE started AND holds)::int AS met,
      count(*) FILTER (WHERE started AND finished AND NOT holds)::int AS missed
    FROM (
      SELECT (s.state ->> 'started')::boolean AS started, (s.state ->> 'finished')::boolean AS finished,
        coalesce(jsonb_typeof(u.properties -> 'seats') = 'number' AND (u.properties ->> 'seats')::int >= 7, false)
          OR EXISTS (
            SELECT 1 FROM memberships m JOIN groups g USING (group_id)
            WHERE m.user_id = u.user_id AND g.properties ->> 'plan' = 'gold'
          ) AS holds
      FROM flow_states s JOIN users u USING (user_id)
      WHERE s.flow = 'aimed' AND ($1::text IS NULL OR u.properties ->> 'country' = $1)
    ) u`;
  const USERS = 12_000;

  beforeAll(async () => {
    await fixture.commit(defineFlow({ flow: 'aimed', goal: GOAL, blocks: { aim: card() } }));
    const names = Array.from({ length: USERS }, (_, index) => `aimed ${index}`);
    // Seats are a number, a text or missing.
    await fixture.identifyAll(names, (index) => ({
      country: ['de', 'fr', 'it'][index % 3]!,
      ...(index % 5 !== 0 && { seats: index % 7 === 0 ? '9' : index % 10 }),
    }));
    await fixture.identifyGroup('golden', { plan: 'gold' });
    await fixture.identifyGroup('freed', { plan: 'free' });
    for (let index = 0; index < 200; index++)
      await fixture.join(`aimed ${index}`, ...(index % 2 === 0 ? ['freed', 'golden'] : ['freed']));
    await fixture.dataSource.query(
      `INSERT INTO flow_states (user_id, flow, version, revision, edition, state)
       SELECT user_id, 'aimed', 1, 1, 1, jsonb_build_object('format', 1, 'blocks', '{}'::jsonb, 'gates', '{}'::jsonb,
         'stopped', false, 'started', n % 11 <> 0, 'finished', n % 4 = 0)
       FROM (SELECT user_id, substr(identifier, 7)::int AS n FROM users WHERE identifier LIKE 'aimed %') u`,
    );
    // This server has no autovacuum, which would do it after so many rows.
    await fixture.dataSource.query('ANALYZE');
  });

  test.each([null, 'de'])('is counted as PostgreSQL counts it, of country %s', async (country) => {
    const [expected] = await fixture.dataSource.query<object[]>(IN_SQL, [country]);
    const { goal, started } = await report({
      flow: 'aimed',
      ...(country !== null && { when: `user.properties.country == "${country}"` }),
    });
    expect({ started, met: goal!.met, missed: goal!.missed }).toEqual(expected);
    expect(goal!.when).toBe(GOAL);
    expect([goal!.met, goal!.missed].every((count) => count > 300)).toBe(true);
  });

  test('names as many users as it counts, each once', async () => {
    const { goal } = await report({ flow: 'aimed' });
    for (const which of ['met', 'missed'] as const) {
      const found = new Set<string>();
      const filter = { flow: 'aimed', goal: which };
      for await (const { identifier } of findUsers(
        fixture.dataSource,
        fixture.environmentId,
        filter,
      ))
        found.add(identifier);
      expect(found.size).toBe(goal![which]);
    }
  });

  test('is that of the newest version counted; a flow without one counts none, and reads nothing', async () => {
    const before = await report({ flow: 'onboarding' });
    expect(before).not.toHaveProperty('goal');
    await fixture.commit(
      defineFlow({ flow: 'aimed', goal: 'true', blocks: { aim: card(), 'aim-b': card() } }),
    );
    expect((await report({ flow: 'aimed', version: 1 })).goal!.when).toBe(GOAL);
    const all = await report({ flow: 'aimed', version: 'all' });
    expect(all.goal).toEqual({ when: 'true', met: all.started, missed: 0 });
  });
});

test('a strategy that keeps flags without blocks is named in a note (E13, S28)', async () => {
  const flow = (title: string) => defineFlow({ flow: 'noted', blocks: { [title]: card() } });
  await fixture.commit(flow('noted-one'));
  await fixture.commit(flow('noted-two'), 'stop-in-progress');
  expect((await report({ flow: 'noted' })).notes).toEqual([
    expect.stringContaining('stop-in-progress'),
  ]);
  expect((await report({ flow: 'noted', version: 1 })).notes).toEqual([]);
});

/** What users did, as commands on the requested version. */
const lives = fc.array(
  fc.record({
    before: commandPlans(),
    meets: fc.boolean(),
    after: commandPlans(),
    context: contexts(),
  }),
  {
    minLength: 1,
    maxLength: 6,
  },
);

test('a report equals a count by folding all events, through resets, migrations and versions, to the last user (E13)', async () => {
  let run = 0;
  const histories = fc.record({
    flows: editedFlows(),
    lives,
    strategy: fc.constantFrom(...MIGRATION_STRATEGIES),
  });
  await fc.assert(
    fc.asyncProperty(histories, async ({ flows, lives, strategy }) => {
      const flow = `generated-${++run}`;
      const before = { ...flows.before, flow };
      const after = { ...flows.after, flow };
      const users = lives.map((_, index) => `${flow}-${index}`);
      await fixture.commit(before);
      await fixture.identifyAll(users, (index) => lives[index]!.context.user.properties);
      for (const [index, life] of lives.entries())
        await live(users[index]!, before, 1, life.before);
      const isCommitted = (await fixture.commit(after, strategy)) === 2;
      for (const [index, life] of lives.entries()) {
        if (isCommitted && life.meets)
          await fixture
            .read(users[index]!, flow)
            .then(() => live(users[index]!, after, 2, life.after));
      }
      const definitions = isCommitted ? [before, after] : [before];
      await expectEqual(flow, users, definitions, [1]);
      if (isCommitted) await expectEqual(flow, users, definitions, [2]);
      await expectEqual(
        flow,
        users,
        definitions,
        definitions.map((_, index) => index + 1),
      );
    }),
    { numRuns: cases(25) },
  );
});

async function live(
  user: string,
  definition: FlowDefinition,
  version: number,
  plans: Parameters<typeof planned>[2][],
) {
  for (const plan of plans) {
    const state = (await fixture.findState(user, definition.flow, version))?.state ?? EMPTY_STATE;
    await fixture.run(user, definition.flow, version, planned(definition, state, plan));
  }
}

/** Counted in the plainest way there is: each user by themselves, from their events. */
async function expectEqual(
  flow: string,
  users: string[],
  definitions: FlowDefinition[],
  versions: number[],
): Promise<void> {
  const counted = await Promise.all(users.map((user) => foldAll(user, flow, versions)));
  const met = counted.filter((states) => states.length > 0);
  const input: ReportInput = { flow, version: versions.length === 1 ? versions[0]! : 'all' };
  const told = await report(input);
  // Those whose events nobody looks at are counted together where their states are equal.
  const withoutTimes = (blocks: FlowReport['blocks']) =>
    blocks.map((block) => ({ ...block, seconds: null }));
  expect(withoutTimes((await report(input, { follow: 0 })).blocks)).toEqual(
    withoutTimes(told.blocks),
  );
  const newest = met.map((states) => states.at(-1)!);
  expect(told).toMatchObject({
    users: met.length,
    started: newest.filter(({ started }) => started).length,
    inProgress: newest.filter(isRunning).length,
    finished: newest.filter(({ finished }) => finished).length,
    stopped: newest.filter(({ stopped }) => stopped).length,
  });
  const uids = new Map(versions.flatMap((version) => exposedOf(definitions[version - 1]!)));
  expect(
    told.blocks.map(({ reached, now, lost, left }) => [reached, now, lost, left]),
  ).toHaveLength(uids.size);
  for (const [uid, { id, names }] of uids) {
    const of = (states: (typeof met)[number]) => states.map((state) => blockState(state, uid));
    const reached = met.filter((states) => of(states).some(({ entered }) => entered));
    const gone = (states: (typeof met)[number]) => of(states).some(({ exited }) => exited);
    const there = (states: (typeof met)[number]) => of(states).at(-1)!.active === true;
    const took = (name: string) =>
      met.filter((states) => of(states).some(({ transitioned }) => transitioned?.includes(name)))
        .length;
    const expected = {
      reached: reached.length,
      now: met.filter(there).length,
      lost: reached.filter((states) => !there(states) && !gone(states)).length,
      left: Object.fromEntries(names.map((name) => [name, took(name)])),
    };
    const [block] = told.blocks.filter(
      (one) => one.block === id && JSON.stringify(Object.keys(one.left)) === JSON.stringify(names),
    );
    expect({ id, ...block }).toMatchObject({ id, ...expected });
  }
}

async function foldAll(user: string, flow: string, versions: number[]) {
  const all = await Promise.all(versions.map((version) => fixture.loadEvents(user, flow, version)));
  return all
    .filter((events) => events.length > 0)
    .map((events) => fold(events.map(({ event }) => event)));
}

function exposedOf(definition: FlowDefinition) {
  return exposedBlocks(compile(definition)).map(
    (block) =>
      [
        block.uid,
        {
          id: block.id,
          names: Object.keys(Object.fromEntries(block.names.map((name) => [name, 0]))),
        },
      ] as const,
  );
}

test('after the undo of a reset the funnel and the reasons are those of before the reset (I6, E13)', async () => {
  const flow = defineFlow({
    flow: 'undone',
    blocks: {
      first: card({ complete: 'is-admin' }),
      'is-admin': branch('user.properties.admin', { true: 'last', false: 'bye' }),
      last: card(),
      bye: card(),
    },
  });
  await fixture.commit(flow);
  const names = ['una', 'ugo', 'uwe'];
  await fixture.identifyAll(names, (index) => ({ admin: index === 0 }));
  for (const user of names) await fixture.read(user, 'undone');
  // The others are in the first block, where the reset leaves them.
  await fixture.take('una', 'undone', 1, 'first', ['complete']);
  await fixture.dataSource.query(
    "UPDATE flow_events SET at = at - interval '3 days' WHERE flow = 'undone'",
  );
  const whyOf = async (user: string) =>
    (await explainUser(fixture.dataSource, fixture.environmentId, { flow: 'undone', user }))
      .reasons;
  const why = () => Promise.all(names.map(whyOf));
  const before = [await report({ flow: 'undone' }), await why()];
  const resolved = await fixture.catalogue.getFlow('undone', 1);
  const { run } = await new ResetUsers(fixture.dataSource, fixture.runner, fixture.changes).run(
    fixture.environmentId,
    resolved,
    { force: false },
    { by: 'ann' },
  );
  expect([await report({ flow: 'undone' }), await why()]).not.toEqual(before);
  await undoReset(fixture, fixture.environmentId, run!, {}, { by: 'ann' });
  expect([await report({ flow: 'undone' }), await why()]).toEqual(before);
});

test('how many users wait in each delay now (Z4, E13)', async () => {
  const blocks = { 'report-wait': delay('report-then', 86_400_000), 'report-then': card() };
  await fixture.commit(defineFlow({ flow: 'waiting', blocks }));
  await fixture.identifyAll(['w1', 'w2', 'w3'], () => ({}));
  for (const user of ['w1', 'w2', 'w3']) await fixture.read(user, 'waiting');
  await fixture.run('w3', 'waiting', 1, { kind: 'stop' });
  expect(await report({ flow: 'waiting' })).toMatchObject({
    inProgress: 2,
    delays: [{ block: 'report-wait', now: 2 }],
  });
  expect(await report({ flow: 'onboarding' })).not.toHaveProperty('delays');
});
