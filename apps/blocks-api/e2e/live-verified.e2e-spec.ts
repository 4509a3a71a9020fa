import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { custom, defineFlow } from '@waymark/testing/builders';
import { call, until } from '@waymark/testing/services';
import { Identity, seconds } from './identity.js';
import type { LiveClient } from './live-client.js';
import { LiveReplicas } from './live-replicas.js';

/** A token is refused half a minute after its `exp` (V3). */
const LEEWAY = 30;
const LARGEST_FRAME = 32 * 1024;
const LONGEST_TOKEN = 4_096;

let live: LiveReplicas;
let identity: Identity;
/** Everything that must stay out of logs, metrics and addresses. */
const sent: string[] = [];

beforeAll(async () => {
  live = await LiveReplicas.open(2, { LOG_LEVEL: 'trace' });
  await live.commit(
    defineFlow({ flow: 'onboarding', blocks: { welcome: custom({ again: 'welcome' }) } }),
  );
  for (const user of ['ada', 'bob', 'grace']) await live.fixture.identify(user);
  identity = await Identity.open(live.fixture.dataSource);
  await identity.verify('required');
  await untilRequired(identity.publicKey);
});
afterAll(() => live.close());

/** The status of a request on each replica. */
const statuses = async (key: string) =>
  Promise.all(
    live.services.map(
      async (service) =>
        (await call(service, 'GET /v2/flow/onboarding?userIdentifier=ada&version=1', { key }))
          .status,
    ),
  );
const untilRequired = (key: string) =>
  until(async () => (await statuses(key)).every((status) => status === 401));

const page = (user: string, claims = {}): string => {
  const key = identity.page(user, claims);
  sent.push(...key.split(/[.]/));
  return key;
};
const again = (user: string, replica: number) =>
  call(
    { url: live.url(replica) },
    `POST /v2/block/onboarding.welcome/transition?userIdentifier=${user}&version=1&transitions=again`,
    {
      key: page(user),
      body: {},
    },
  );

describe('the socket of a verified user', () => {
  test("sees its own changes from every replica, and nobody else's (V6, L5)", async () => {
    const grace = await live.connect('grace', { key: page('grace') });
    await grace.watch('onboarding');
    await call({ url: live.url(1) }, 'GET /v2/flow/onboarding?userIdentifier=grace&version=1', {
      key: page('grace'),
    });
    expect((await grace.nextPush()).flow.state.started).toBe(true);
    await call({ url: live.url(1) }, 'GET /v2/flow/onboarding?userIdentifier=bob&version=1', {
      key: page('bob'),
    });
    const bob = await live.connect('bob', { key: page('bob') });
    await bob.watch('onboarding');
    expect((await again('bob', 0)).status).toBe(204);
    await bob.until('u-welcome', ({ transitioned }) => transitioned['again'] === true);
    expect(JSON.stringify(grace.told)).not.toContain('"again":true');
    expect((await again('grace', 1)).status).toBe(204);
    await grace.until('u-welcome', ({ transitioned }) => transitioned['again'] === true);
  });

  test('is closed when its token expires, gets in no more with it, and goes on where it was with a fresh one (V7)', async () => {
    await call({ url: live.url() }, 'GET /v2/flow/onboarding?userIdentifier=ada&version=1', {
      key: page('ada'),
    });
    const client = await watchUntilExpired();
    expect(await client.next('error')).toBe(
      'the user token of this socket is now refused: it has expired',
    );
    expect(await client.next('disconnect')).toBe('transport close');
    expect((await client.next('connect_error')).message).toMatch(/it has expired$/);
    client.socket.auth = { 'x-api-key': page('ada') };
    client.socket.connect();
    await client.next('ready');
    expect((await client.nextPush()).flow.sid).toBe('onboarding');
    expect((await again('ada', 1)).headers.get('x-dopt-intent-side-effects')).toBe('true');
    await client.nextPush();
  });

  /** With a token that is good until the snapshot is there, and not much longer. */
  async function watchUntilExpired(life = 4): Promise<LiveClient> {
    const client = live.client('ada', { key: page('ada', { exp: seconds() - LEEWAY + life }) });
    client.socket.emit('watch:flow', 'onboarding', 1);
    await until(() =>
      ['flow', 'error', 'connect_error'].some((event) => client.events().includes(event as 'flow')),
    );
    if (!client.events().includes('flow')) return watchUntilExpired(2 * life);
    await client.nextPush();
    return client;
  }

  test('is closed when its signer is removed (V7, V8)', async () => {
    await identity.addSigner('leaving');
    const key = `${identity.publicKey}.${identity.token('ada', {}, { kid: 'leaving' })}`;
    await until(async () => (await statuses(key)).every((status) => status === 200));
    const client = await live.connect('ada', { key });
    await client.watch('onboarding');
    await identity.removeSigner('leaving');
    expect(await client.next('error')).toBe(
      'the signer of the user token of this socket was removed',
    );
    expect(await client.next('disconnect')).toBe('transport close');
    expect((await client.next('connect_error')).message).toMatch(/"kid"/);
  });

  test('stays when tokens become required, where it came with a good one; others are closed and keep their watches (V5, V7)', async () => {
    const production = await Identity.open(live.fixture.dataSource, 'production');
    const claims = { aud: 'production' };
    const good = `${production.publicKey}.${production.token('ada', claims)}`;
    const [none, other, verified] = await Promise.all([
      live.connect('ada', { key: production.publicKey }),
      live.connect('bob', { key: good }),
      (async () => {
        await production.verify('observe', 'production');
        await until(async () => (await validKeys(good)) === 2);
        return live.connect('ada', { key: good });
      })(),
    ]);
    for (const client of [none, other, verified]) await client.watch('onboarding');
    // By now the page has a token; its client sends it when it reconnects.
    none.socket.auth = { 'x-api-key': good };
    await production.verify('required', 'production');
    for (const client of [none, other]) {
      expect(await client.next('error')).toMatch(/user token/);
      expect(await client.next('disconnect')).toBe('transport close');
    }
    expect((await other.next('connect_error')).message).toMatch(/"sub"/);
    await none.next('ready');
    expect((await none.nextPush()).flow.sid).toBe('onboarding');
    expect(verified.events()).not.toContain('disconnect');
  });

  /** Asks once with the key; how many keys the first replica has seen a good token behind. */
  async function validKeys(key: string): Promise<number> {
    await statuses(key);
    const text = await (await fetch(`${live.services[0]!.metricsUrl}/metrics`)).text();
    return text.split('outcome="valid"').length - 1;
  }

  test('fits its frame at its longest: the longest token, with 100 watches of the longest names (V4, L7)', async () => {
    const watches = Array.from(
      { length: 100 },
      (_, index) => `${`f${index}`.padEnd(128, 'x')}@1000000000`,
    ).join(' ');
    let filling = LONGEST_TOKEN;
    const longest = (): string => identity.token('ada', { filling: 'x'.repeat(filling) });
    while (longest().length > LONGEST_TOKEN) filling--;
    const auth = {
      'x-api-key': `${identity.publicKey}.${longest()}`,
      pid: `${'p'.repeat(20)} ${watches}`,
      offset: watches,
    };
    expect(`40/v2/client,${JSON.stringify(auth)}`.length).toBeLessThan(LARGEST_FRAME);
    const client = live.client('ada', { auth });
    await client.next('ready');
    expect(await client.next('error')).toMatch(/^flow f0x/);
  });

  test('leaves nothing of its token in logs, metrics or addresses (V4)', async () => {
    const logs = live.services.flatMap(({ lines }) => lines).join('\n');
    const texts = await Promise.all(
      live.services.map(async ({ metricsUrl }) => (await fetch(`${metricsUrl}/metrics`)).text()),
    );
    expect(sent.length).toBeGreaterThan(10);
    for (const text of [logs, ...texts])
      expect(sent.filter((part) => text.includes(part))).toEqual([]);
    expect(logs).toContain('/v2/flow/:sid');
  });
});
