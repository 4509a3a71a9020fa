import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DatabaseStateChanges, RunCommand } from '@waymark/domain/states';
import {
  card,
  checklist,
  custom,
  defineFlow,
  modal,
  tour,
  trigger,
} from '@waymark/testing/builders';
import type { LiveClient } from './live-client.js';
import { LiveReplicas } from './live-replicas.js';

const onboarding = defineFlow({
  blocks: {
    welcome: modal({ complete: ['setup', 'call'], dismiss: 'finish' }),
    setup: checklist(['invite', 'connect'], { complete: 'look', dismiss: 'finish' }),
    call: trigger('tips', 'start'),
    look: tour(['board', 'search'], { complete: 'loop', dismiss: 'finish' }),
    loop: custom({ again: 'loop', done: 'finish' }),
  },
});
const tips = defineFlow({
  flow: 'tips',
  target: { users: 'api-only' },
  blocks: { tip: card({ complete: 'finish' }) },
});
const many = defineFlow({ flow: 'many', blocks: { counter: custom({ again: 'counter' }) } });

let live: LiveReplicas;
let user: string;
let count = 0;

beforeAll(async () => {
  live = await LiveReplicas.open(2);
  await live.commit(onboarding, tips, many);
});
afterAll(() => live.close());
beforeEach(async () => {
  user = `user-${++count}`;
  await live.fixture.identify(user);
});

const start = (flow = 'onboarding') =>
  live.get(`/v2/flow/${flow}?userIdentifier=${user}&version=1`);
/** Two tabs, one on each replica, that watch the flow and have their snapshots. */
async function tabs(flow = 'onboarding'): Promise<[LiveClient, LiveClient]> {
  const both = await Promise.all(
    [0, 1].map((replica) => live.connect(user, { url: live.url(replica) })),
  );
  await Promise.all(both.map((client) => client.watch(flow)));
  return both as [LiveClient, LiveClient];
}

describe('a change', () => {
  test('is shown on every replica: the changed blocks whole, then the flow (L5)', async () => {
    await start();
    const both = await tabs();
    await live.transition(user, 'u-welcome', ['complete']);
    for (const client of both) {
      const { blocks, flow } = await client.nextPush();
      expect(Object.keys(blocks).sort()).toEqual(['u-connect', 'u-invite', 'u-setup', 'u-welcome']);
      expect(blocks['u-invite']).toEqual({
        kind: 'block',
        type: 'checklistItem',
        uid: 'u-invite',
        sid: 'onboarding.invite',
        version: 1,
        state: { active: true, entered: true, exited: false },
        transitioned: { complete: false, skip: false },
        fields: [],
        containerUid: 'u-setup',
      });
      expect(flow).toMatchObject({
        state: { started: true, stopped: false, finished: false },
        revision: 2,
      });
      expect(flow).not.toHaveProperty('blocks');
    }
  });

  test('by an intent, and by a read that starts the flow, is shown (L5)', async () => {
    const [here, there] = await tabs();
    await start();
    expect((await there.nextPush()).flow.state.started).toBe(true);
    await live.intent(user, 'onboarding', 'finish');
    expect((await there.nextPush()).flow.state.finished).toBe(true);
    await live.intent(user, 'onboarding', 'reset', 1);
    const { blocks, flow } = await there.nextPush();
    expect([flow.state.finished, blocks['u-welcome']?.state.active]).toEqual([false, true]);
    expect((await here.until('u-welcome', (block) => block.state.active)).sid).toBe(
      'onboarding.welcome',
    );
  });

  test('by a flow trigger is shown to the watchers of the other flow (L5, S19)', async () => {
    await start();
    const both = await tabs('tips');
    await live.transition(user, 'u-welcome', ['complete']);
    for (const client of both)
      expect((await client.nextPush()).blocks['u-tip']?.state.active).toBe(true);
  });

  test("by the operator's command is shown (L5)", async () => {
    await start();
    const both = await tabs();
    const changes = new DatabaseStateChanges(live.fixture.database);
    const runner = new RunCommand(live.fixture.database, live.fixture.catalogue, changes);
    const actor = { environmentId: live.fixture.environmentId, user };
    await runner.run(await live.fixture.catalogue.getFlow('onboarding', 1), actor, {
      kind: 'stop',
    });
    await changes.flush();
    for (const client of both) expect((await client.nextPush()).flow.state.stopped).toBe(true);
  });

  test('is shown to nobody else: other users, flows, versions and environments see nothing (L5, R9)', async () => {
    await live.fixture.identify('bystander');
    await start();
    const [, there] = await tabs();
    const bystander = await live.connect('bystander', { url: live.url(1) });
    await bystander.watch('onboarding');
    const elsewhere = await live.connect(user, { url: live.url(1) });
    await elsewhere.watch('tips');
    await elsewhere.watch('onboarding', 0);
    const told = [bystander.told.length, elsewhere.told.length];
    await live.transition(user, 'u-welcome', ['dismiss']);
    await there.nextPush();
    await bystander.watch('onboarding');
    await elsewhere.watch('tips');
    expect([bystander.told.length, elsewhere.told.length]).toEqual(
      told.map((before) => before + 2),
    );
  });

  test('that leads back to the same block shows the block again, though no flag differs (S6, L5)', async () => {
    await start('many');
    const both = await tabs('many');
    for (let round = 0; round < 3; round++) {
      await live.transition(user, 'u-counter', ['again'], round % 2);
      for (const client of both)
        expect(Object.keys((await client.nextPush()).blocks)).toEqual(['u-counter']);
    }
  });
});

describe('a transition without effect', () => {
  /** `previous` on the first item of a tour has none (S22). */
  const back = async (replica = 0) => {
    const answer = await live.transition(user, 'u-board', ['previous'], replica);
    expect(answer.headers.get('x-dopt-intent-side-effects')).toBe('false');
  };

  test('on an active block heals who hid it already, on every replica: the block as it is (L6)', async () => {
    await start();
    await live.transition(user, 'u-welcome', ['complete']);
    await live.transition(user, 'u-setup', ['complete']);
    const both = await tabs();
    await back();
    for (const client of both) {
      const { blocks, flow } = await client.nextPush();
      expect(Object.keys(blocks)).toEqual(['u-board']);
      expect(blocks['u-board']?.state).toEqual({ active: true, entered: true, exited: false });
      expect(flow.state.started).toBe(true);
    }
  });

  test('on an inactive block is not pushed, so that a page that tries after each push comes to rest (L6)', async () => {
    await start();
    await live.transition(user, 'u-welcome', ['complete']);
    await live.transition(user, 'u-setup', ['complete']);
    const both = await tabs();
    for (const replica of [0, 1]) await live.transition(user, 'u-setup', ['complete'], replica);
    await back();
    for (const client of both)
      expect(Object.keys((await client.nextPush()).blocks)).toEqual(['u-board']);
  });
});

describe('order', () => {
  test('two tabs that race through a flow end in the same state, and neither ever goes back (L8)', async () => {
    await start();
    const both = await tabs();
    await Promise.all(
      [0, 1].map((replica) => live.transition(user, 'u-welcome', ['complete'], replica)),
    );
    await Promise.all([
      live.transition(user, 'u-invite', ['complete'], 0),
      live.transition(user, 'u-connect', ['skip'], 1),
      live.transition(user, 'u-invite', ['skip'], 1),
    ]);
    const last = await live.get(
      `/v2/flow/onboarding?userIdentifier=${user}&version=1&include=block`,
    );
    const expected = (last.body as { blocks: { uid: string }[] }).blocks;
    for (const client of both) {
      await client.until('u-board', (block) => block.state.active);
      await client.watch('onboarding');
      const shown = new Map<string, unknown>();
      const progress: number[] = [];
      for (const { event, payload } of client.told) {
        if (event !== 'blocks') continue;
        for (const block of Object.values(
          payload as Record<string, { uid: string; state: { exited: boolean } }>,
        ))
          shown.set(block.uid, block);
        progress.push(
          [...shown.values()].filter(
            (block) => (block as { state: { exited: boolean } }).state.exited,
          ).length,
        );
      }
      expect(progress).toEqual([...progress].sort((a, b) => a - b));
      for (const block of expected) expect(shown.get(block.uid)).toEqual(block);
    }
  });
});
