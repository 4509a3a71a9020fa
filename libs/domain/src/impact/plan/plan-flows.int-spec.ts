import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type Change,
  EMPTY_STATE,
  type FlowDefinition,
  type FlowEvent,
  fold,
  isEmptyState,
  isRunning,
  MIGRATION_STRATEGIES,
  type MigrationStrategy,
} from '@waymark/domain/engine';
import { groupId, userId } from '@waymark/domain/users';
import { branch, card, defineFlow, gate, trigger, webhook } from '@waymark/testing/builders';
import { commandPlans, contexts, editedFlows, planned } from '@waymark/testing/generators';
import { fc } from '@waymark/testing/properties';
import { Stage } from '@waymark/testing/stage';
import { explainUser, type Plan, planFlows, type PlanInput, type PlanOptions } from '../index.js';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
  await stage.identifyAll(['ann', 'bob', 'cid', 'dan'], (index) => ({ admin: index === 0, seats: index }));
});
afterAll(() => stage.close());

async function plan(definition: FlowDefinition, input: Partial<PlanInput> = {}, options?: PlanOptions): Promise<Plan> {
  const whole = { definitions: [definition], strategies: ['carry-over' as MigrationStrategy], ...input };
  return (await planFlows(stage.dataSource, stage.environmentId, whole, options))[0]!;
}

describe('what a commit would do (I2)', () => {
  const before = defineFlow({ flow: 'hello', blocks: { hello: card({ complete: 'tips' }), tips: card({ complete: 'finish' }) } });
  const after = defineFlow({ flow: 'hello', blocks: { hello: card({ complete: 'finish' }) } });
  beforeAll(async () => {
    await stage.commit(before);
    for (const user of ['ann', 'bob', 'cid']) await stage.read(user, 'hello');
    await stage.take('ann', 'hello', 1, 'hello', ['complete']);
    await stage.run('cid', 'hello', 1, { kind: 'finish' });
  });

  test('users by what happens to them, the difference in words, and examples where they are asked for', async () => {
    expect(await plan(after, { examples: 2 })).toMatchObject({
      flow: 'hello',
      version: 2,
      migration: 'carry-over',
      differs: true,
      differences: [{ kind: 'removed' }, { kind: 'changed' }],
      users: { total: 3, kept: 2, restarted: 1, stopped: 0, finished: 0, lost: { tips: 1 }, gates: {}, dependsOnGroup: 0 },
      effects: {},
      examples: [
        { what: 'restarted', users: ['ann'] },
        { what: 'lost', block: 'tips', users: ['ann'] },
      ],
    });
    expect((await plan(after)).examples).toEqual([]);
  });

  test('each strategy is a plan of its own, made in one go', async () => {
    const strategies = [...MIGRATION_STRATEGIES];
    const plans = await planFlows(stage.dataSource, stage.environmentId, { definitions: [after], strategies });
    expect(plans.map(({ migration, users: { kept, restarted, stopped } }) => [migration, kept, restarted, stopped])).toEqual([
      ['carry-over', 2, 1, 0],
      ['restart-in-progress', 1, 2, 0],
      ['restart-all', 0, 3, 0],
      ['stop-in-progress', 1, 0, 2],
    ]);
  });

  test('webhooks and triggers are counted by block, those of triggered flows one level deep', async () => {
    const blocks = { 'tip-hook': webhook('tip'), tip: card() };
    await stage.commit(defineFlow({ flow: 'tips', blocks }));
    const firing = defineFlow({
      flow: 'hello',
      blocks: { hook: webhook('call'), call: trigger('tips', 'start', 'new'), new: card() },
    });
    const { effects } = await plan(firing, { strategies: ['restart-in-progress'] });
    expect(effects).toEqual({ hook: 2, call: 2, 'tips.tip-hook': 2 });
    await stage.read('bob', 'tips');
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
      blocks: { one: card({ complete: 'both' }), two: card({ complete: 'both' }), both: gate('last'), last: card() },
    });
    await stage.commit(waiting);
    await stage.read('ann', 'gated');
    await stage.take('ann', 'gated', 1, 'one', ['complete']);
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
    open.blocks = open.blocks.map((block) => (block.id === 'two' ? { ...block, paths: [] } : block)) as typeof open.blocks;
    expect(await plan(open)).toMatchObject({ users: { kept: 1, gates: { both: 1 } } });
  });

  test('who would enter at the next read and would not now, and the other way round', async () => {
    const target = (when: string) => ({ users: 'matching', when }) as const;
    const flow = (when: string) => defineFlow({ flow: 'aimed', target: target(when), blocks: { aimed: card() } });
    await stage.commit(flow('user.properties.seats < 2'));
    expect(await plan(flow('user.properties.seats > 0'), { entries: true, examples: 9 })).toMatchObject({
      entries: { enter: 2, leave: 1 },
      examples: expect.arrayContaining([{ what: 'leave', users: ['ann'] }]),
    });
    expect(await plan(flow('user.properties.seats > 0'))).not.toHaveProperty('entries');
  });

  test('what depends on the group that the application passes is said, not guessed', async () => {
    const blocks = { seats: branch('group.properties.big', { true: 'big', false: 'small' }), big: card(), small: webhook('big') };
    const flow = defineFlow({ flow: 'groups', blocks: { 'groups-one': card() } });
    await stage.commit(flow);
    for (const user of ['ann', 'bob']) await stage.read(user, 'groups');
    await stage.identifyGroup('acme', { big: true });
    await stage.dataSource.query('INSERT INTO memberships (user_id, group_id) VALUES ($1, $2)', [
      userId(stage.environmentId, 'ann'),
      groupId(stage.environmentId, 'acme'),
    ]);
    expect(await plan(defineFlow({ flow: 'groups', blocks }))).toMatchObject({
      users: { total: 2, restarted: 1, dependsOnGroup: 1 },
      effects: { small: 1 },
      notes: expect.arrayContaining([expect.stringContaining('depend on the one')]),
    });
  });

  test('nothing that differs, nobody to look at; a flow that nobody knows yet; a sample; a stop', async () => {
    expect(await plan(before)).toMatchObject({ version: 1, differs: false, differences: [], users: { total: 0 } });
    expect(await plan(defineFlow({ flow: 'brand-new', blocks: { b: card() } }))).toMatchObject({
      version: 1,
      users: { total: 0 },
    });
    expect(await plan(after, { sample: 2 })).toMatchObject({ users: { total: 2 }, sampled: { users: 2 } });
    const told: number[] = [];
    await plan(after, {}, { onProgress: (_, users) => told.push(users) });
    expect(told.at(-1)).toBe(3);
    await expect(plan(after, {}, { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
  });

  test('users of another environment are none of its business (R9)', async () => {
    const [other] = (await stage.dataSource.query("SELECT id FROM environments WHERE name = 'production'")) as { id: string }[];
    const [none] = await planFlows(stage.dataSource, other!.id, { definitions: [after], strategies: ['restart-all'] });
    expect(none!.users.total).toBe(0);
  });

  test('it writes nothing (I3)', async () => {
    const count = () =>
      stage.dataSource.query(
        'SELECT (SELECT count(*) FROM flow_states) s, (SELECT count(*) FROM effects) e, (SELECT count(*) FROM block_uids) b',
      );
    const counted = await count();
    await plan(after, { strategies: ['restart-all'], entries: true });
    expect(await count()).toEqual(counted);
  });
});

const lives = fc.array(fc.record({ plans: commandPlans(), came: fc.boolean(), context: contexts() }), {
  minLength: 1,
  maxLength: 6,
});

test('a plan equals what happens: planned, committed, everybody reads, each number compared (I2)', async () => {
  let run = 0;
  const changes = fc.record({ flows: editedFlows(), lives, strategy: fc.constantFrom(...MIGRATION_STRATEGIES) });
  await fc.assert(
    fc.asyncProperty(changes, async ({ flows, lives, strategy }) => {
      const flow = `planned-${++run}`;
      const [before, after] = [
        { ...flows.before, flow },
        { ...flows.after, flow },
      ];
      // Who would enter is asked of every user of the environment.
      await stage.dataSource.query('DELETE FROM users');
      const users = lives.map((_, index) => `${flow}-${index}`);
      await stage.identifyAll(users, (index) => lives[index]!.context.user.properties);
      await stage.commit(before);
      for (const [index, { plans, came }] of lives.entries()) {
        for (const one of came ? plans : []) await play(users[index]!, before, one);
      }
      const wouldStart = (user: string) => explainUser(stage.dataSource, stage.environmentId, { user, flow });
      const enteredNow = await Promise.all(users.map(async (user) => (await wouldStart(user)).wouldStart));
      const foreseen = await plan(after, { strategies: [strategy], entries: true });
      const alone = await plan(after, { strategies: [strategy] });
      expect(alone).toEqual({ ...foreseen, entries: undefined });
      const version = await stage.commit(after, strategy);
      expect(foreseen).toMatchObject({ version, differs: version === 2 });
      if (version === 2) expect(foreseen).toMatchObject(await watch(flow, users, after, before, enteredNow));
    }),
    { numRuns: Number(process.env.PLAN_RUNS ?? 40), endOnFailure: true },
  );
}, 300_000);

async function play(user: string, definition: FlowDefinition, one: Parameters<typeof planned>[2]): Promise<void> {
  const state = (await stage.findState(user, definition.flow, 1))?.state ?? EMPTY_STATE;
  await stage.run(user, definition.flow, 1, planned(definition, state, one));
}

/** Everybody reads the new version; what is recorded of it, counted in the words of a plan. */
async function watch(flow: string, users: string[], after: FlowDefinition, before: FlowDefinition, enteredNow: boolean[]) {
  const counts = { total: 0, kept: 0, restarted: 0, stopped: 0, finished: 0 };
  const lost: Record<string, number> = {};
  const gates: Record<string, number> = {};
  const effects: Record<string, number> = {};
  const entries = { enter: 0, leave: 0 };
  const name = (uid: string) => namesOf(after).get(uid) ?? namesOf(before).get(uid)!;
  for (const [index, user] of users.entries()) {
    const old = (await stage.findState(user, flow, 1))?.state ?? EMPTY_STATE;
    await stage.read(user, flow);
    const events = (await stage.loadEvents(user, flow, 2)).map(({ event }) => event);
    const starts = events.some(({ cause }) => cause.kind === 'start');
    if (starts !== enteredNow[index]) entries[starts ? 'enter' : 'leave']++;
    if (isEmptyState(old)) continue;
    const met = events.filter(({ cause }) => cause.kind === 'migrated');
    const state = fold(met);
    const all = met.flatMap(({ changes }: FlowEvent) => changes as Change[]);
    const restarted = all.some((change) => change.kind === 'flow' && change.started === true && !('stopped' in change));
    const stopped = isRunning(old) && state.stopped;
    const finished = !old.finished && state.finished;
    const gone = Object.keys(old.blocks).filter((uid) => old.blocks[uid]!.active && !namesOf(after).has(uid));
    counts.total++;
    counts.restarted += Number(restarted);
    counts.stopped += Number(stopped);
    counts.finished += Number(finished);
    counts.kept += Number(!restarted && !stopped && !finished && gone.length === 0);
    count(lost, new Set(gone.map(name)));
    count(
      gates,
      all.flatMap((change) => (change.kind === 'passed' ? [name(change.gate)] : [])),
    );
    count(
      effects,
      all.flatMap((change) => (change.kind === 'effected' ? [name(change.block)] : [])),
    );
  }
  return { users: { ...counts, lost, gates, dependsOnGroup: 0 }, effects, entries };
}

function count(counts: Record<string, number>, names: Iterable<string>): void {
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
}

function namesOf({ blocks }: FlowDefinition): Map<string, string> {
  return new Map(blocks.flatMap((block) => [block, ...('items' in block ? block.items : [])]).map(({ uid, id }) => [uid, id]));
}
