import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { archiveFlow, storeDefinition } from '@waymark/domain/flows';
import { card, checklist, defineFlow, modal } from '@waymark/testing/builders';
import { LiveReplicas } from './live-replicas.js';

const onboarding = defineFlow({
  blocks: {
    welcome: modal({ complete: 'setup', dismiss: 'finish' }),
    setup: checklist(['invite', 'connect'], { complete: 'finish', dismiss: 'finish' }),
  },
});

let live: LiveReplicas;
let user: string;
let count = 0;

beforeAll(async () => {
  live = await LiveReplicas.open(2);
  await live.commit(onboarding);
});
afterAll(() => live.close());
beforeEach(async () => {
  user = `user-${++count}`;
  await live.fixture.identify(user);
});

const start = (replica = 0) =>
  live.get(`/v2/flow/onboarding?userIdentifier=${user}&version=1`, replica);

describe('watching', () => {
  test('a watch is answered with every block, then the flow, and starts nothing (L2, L3, L4)', async () => {
    const client = await live.connect(user);
    const { blocks, flow } = await client.watch('onboarding');
    expect(Object.keys(blocks).sort()).toEqual(['u-connect', 'u-invite', 'u-setup', 'u-welcome']);
    expect(blocks['u-welcome']).toMatchObject({
      kind: 'block',
      state: { active: false, entered: false, exited: false },
    });
    expect(flow).toEqual({
      kind: 'flow',
      type: 'flow',
      uid: 'onboarding',
      sid: 'onboarding',
      version: 1,
      state: { started: false, stopped: false, finished: false },
      revision: 0,
    });
    expect(client.events()).toEqual(['ready', 'watching', 'blocks', 'flow']);
    expect(await live.fixture.findState(user, 'onboarding', 1)).toBeNull();
  });

  test('a watch sent before ready, and one by the block of an old client, get their snapshots (L3, L4)', async () => {
    await start();
    const client = live.client(user);
    client.socket.emit('watch:flow', 'onboarding', 1);
    expect((await client.nextPush()).blocks['u-welcome']?.state.active).toBe(true);
    client.socket.emit('watch:block', 'u-invite', 1);
    expect((await client.nextPush()).flow.state.started).toBe(true);
    client.socket.emit('watch:block', 'onboarding.setup', 'latest');
    expect((await client.nextPush()).flow.version).toBe(1);
  });

  test('what a watch reads is no older than what was committed before it (L4)', async () => {
    const client = await live.connect(user, { url: live.url(1) });
    await client.watch('onboarding');
    await start(0);
    const { blocks } = await client.watch('onboarding');
    expect(blocks['u-welcome']?.state.active).toBe(true);
  });

  test('unknown and malformed watches are answered with an error and the socket lives on (L3)', async () => {
    const client = await live.connect(user);
    const bad: unknown[][] = [
      ['nowhere', 1],
      ['onboarding', 99],
      ['onboarding', -1],
      ['onboarding', 1.5],
      ['onboarding', '1e3'],
      ['onboarding', null],
      ['onboarding'],
      [],
      [{ __proto__: null }, 1],
      [['onboarding'], 1],
      ['x'.repeat(1_000), 1],
    ];
    for (const payload of bad) {
      client.socket.emit('watch:flow', ...payload);
      expect(await client.next('error')).toMatch(/^watch:flow/);
    }
    client.socket.emit('watch:block', 'no-such-uid', 1);
    expect(await client.next('error')).toBe('watch:block: there is no block "no-such-uid"');
    expect((await client.watch('onboarding')).flow.version).toBe(1);
    expect(client.events()).not.toContain('disconnect');
  });

  test('a tag means the version that it meant when it was watched (L3)', async () => {
    await live.commit(
      defineFlow({ flow: 'tagged', blocks: { first: card({ complete: 'finish' }) } }),
    );
    const client = await live.connect(user);
    expect((await client.watch('tagged', 'latest')).flow.version).toBe(1);
    expect((await client.watch('tagged', 'uncommitted')).flow.version).toBe(0);
    await live.commit(
      defineFlow({
        flow: 'tagged',
        blocks: { first: card({ complete: 'finish' }), second: card() },
      }),
    );
    await live.get(`/v2/flow/tagged?userIdentifier=${user}&version=1`, 1);
    expect((await client.nextPush()).flow).toMatchObject({ version: 1, state: { started: true } });
  });

  test('a watch migrates the state of an older version, as a read of a block does (S28)', async () => {
    const definition = defineFlow({
      flow: 'moving',
      blocks: { still: card({ complete: 'finish' }) },
    });
    await live.commit(definition);
    await live.get(`/v2/flow/moving?userIdentifier=${user}&version=1`);
    await live.commit(
      defineFlow({ flow: 'moving', blocks: { still: card({ complete: 'finish' }), more: card() } }),
    );
    const client = await live.connect(user);
    const { blocks, flow } = await client.watch('moving', 2);
    expect([flow.state.started, blocks['u-still']?.state.active]).toEqual([true, true]);
    const [event] = await live.fixture.loadEvents(user, 'moving', 2);
    expect(event?.event.cause).toMatchObject({ kind: 'migrated', from: 1 });
  });

  test('somebody not yet identified has the empty state, and the watch stands (L3)', async () => {
    const stranger = `stranger-${count}`;
    const client = await live.connect(stranger);
    expect((await client.watch('onboarding')).flow.state.started).toBe(false);
    await live.fixture.identify(stranger);
    await live.get(`/v2/flow/onboarding?userIdentifier=${stranger}&version=1`, 1);
    expect((await client.nextPush()).blocks['u-welcome']?.state.active).toBe(true);
  });

  test('watchers of a flow that is archived get an error, and a snapshot when it is applied again (B12)', async () => {
    const definition = defineFlow({
      flow: 'seasonal',
      blocks: { leaf: card({ complete: 'finish' }) },
    });
    await live.commit(definition);
    const client = await live.connect(user);
    await client.watch('seasonal');
    await archiveFlow(live.fixture.dataSource, 'seasonal', { by: 'test' });
    expect(await client.next('error')).toBe('flow seasonal was archived');
    await live.fixture.dataSource.transaction((manager) => storeDefinition(manager, definition));
    expect((await client.nextPush()).flow.sid).toBe('seasonal');
  });

  test('a socket watches at most 100 flows (L3)', async () => {
    const flows = Array.from({ length: 101 }, (_, number) =>
      defineFlow({ flow: `many-${number}`, blocks: { [`m${number}`]: card() } }),
    );
    await live.commit(...flows);
    const client = await live.connect(user);
    for (const { flow } of flows) client.socket.emit('watch:flow', flow, 0);
    expect(await client.next('error')).toBe('watch:flow: a socket watches at most 100 flows');
  });
});
