import { connect as connectTcp } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createKey, revokeKey } from '@waymark/domain/access';
import { card, defineFlow } from '@waymark/testing/builders';
import { call, rawExchange, until } from '@waymark/testing/services';
import { io } from 'socket.io-client';
import { WebSocket } from 'ws';
import type { LiveClient } from './live-client.js';
import { LiveReplicas } from './live-replicas.js';

let live: LiveReplicas;

beforeAll(async () => {
  live = await LiveReplicas.open(1, { CORS_ORIGINS: 'https://app.example.com' });
  await live.commit(
    defineFlow({ flow: 'onboarding', blocks: { welcome: card({ complete: 'finish' }) } }),
  );
  await live.fixture.identify('ann');
});
afterAll(() => live.close());

const newKey = (kind: 'users' | 'blocks', environment = 'development', expiresInMs?: number) =>
  createKey(
    live.fixture.dataSource,
    { environment, kind, ...(expiresInMs !== undefined && { expiresInMs }) },
    { by: 'test' },
  );

const upgrade = ({
  path = '/v2/socket/?EIO=4&transport=websocket',
  origin = 'https://app.example.com',
}): string =>
  [
    `GET ${path} HTTP/1.1`,
    'host: blocks.example.com',
    `origin: ${origin}`,
    'x-request-id: mine',
    'connection: upgrade, close',
    'upgrade: websocket',
    '\r\n',
  ].join('\r\n');

describe('who may connect', () => {
  test('a missing, unknown, wrong-kind or revoked key is refused with the reason, the same for all (L1, W1)', async () => {
    const revoked = await newKey('blocks');
    await revokeKey(live.fixture.dataSource, revoked.id, { by: 'test' });
    const keys = [
      {},
      { 'x-api-key': 'blocks-nobody' },
      { 'x-api-key': (await newKey('users')).key },
      { 'x-api-key': 7 },
    ];
    for (const auth of [...keys, { 'x-api-key': revoked.key }]) {
      const { message } = await live.client('ann', { auth }).next('connect_error');
      expect(message).toBe(
        'auth of the handshake has to carry "x-api-key" with a valid blocks key, one that begins with "blocks-"',
      );
    }
  });

  test('a handshake without a user, or with one that nobody can have, is refused with the reason (L1, W7)', async () => {
    for (const user of ['', 'x'.repeat(513), 'a\u0007b']) {
      expect((await live.client(encodeURI(user)).next('connect_error')).message).toMatch(
        /^the query of the handshake/,
      );
    }
  });

  test.each([
    ['ann+test@example.com', 'ann+test@example.com'],
    ['Zoë 👩‍🚀', 'Zoë 👩‍🚀'],
    ['50%25 #1 & more'.replace(/[&#]/g, encodeURIComponent), '50% #1 & more'],
  ])(
    'the identifier %s that an SDK puts into its address is the user %s (W8)',
    async (given, user) => {
      await live.fixture.identify(user);
      const client = await live.connect(given);
      await client.watch('onboarding');
      await live.get(`/v2/flow/onboarding?userIdentifier=${encodeURIComponent(user)}&version=1`);
      expect((await client.nextPush()).flow.state.started).toBe(true);
    },
  );

  test('a key of another environment sees nothing of this one (L5, R9)', async () => {
    const { key } = await newKey('blocks', 'production');
    await live.get('/v2/flow/onboarding?userIdentifier=ann&version=1');
    const client = await live.connect('ann', { key });
    expect((await client.watch('onboarding')).flow.state.started).toBe(false);
  });

  test('a key that is revoked closes its sockets with an error, and lets them in no more (L1)', async () => {
    const { id, key } = await newKey('blocks');
    const [gone, stays] = [await live.connect('ann', { key }), await live.connect('ann')];
    await revokeKey(live.fixture.dataSource, id, { by: 'test' });
    expect(await gone.next('error')).toBe('the API key of this socket was revoked or has expired');
    expect(await gone.next('disconnect')).toBe('transport close');
    expect((await gone.next('connect_error')).message).toMatch(/valid blocks key/);
    expect(stays.socket.connected).toBe(true);
  });

  test('a key that expires closes its sockets (L1)', async () => {
    let client: LiveClient | undefined;
    // Again with one that lives longer, where it had expired before the socket was there.
    for (let ms = 1_500; !client?.events().includes('ready'); ms *= 2) {
      client = live.client('ann', { key: (await newKey('blocks', 'development', ms)).key });
      await Promise.race([client.next('ready'), client.next('connect_error')]);
    }
    expect(await client.next('error')).toBe(
      'the API key of this socket was revoked or has expired',
    );
  });
});

describe('what is refused', () => {
  test('the root namespace, and any other but /v2/client', async () => {
    for (const namespace of ['/', '/v1/client']) {
      const socket = io(live.url() + namespace, {
        path: '/v2/socket/',
        transports: ['websocket'],
        reconnection: false,
      });
      const message = await new Promise((resolve) =>
        socket.on('connect_error', (error) => resolve(error.message)),
      );
      expect(message).toMatch(/connect to the namespace|Invalid namespace/);
      socket.close();
    }
  });

  test('polling, and plain HTTP on the path of the sockets, with the envelope (L1, W2)', async () => {
    const { status, body } = await call(
      { url: live.url() },
      'GET /v2/socket/?EIO=4&transport=polling',
    );
    expect([status, body]).toEqual([
      400,
      {
        code: 'invalid_request_error',
        details: expect.stringContaining('WebSocket only'),
        requestId: expect.any(String),
      },
    ]);
  });

  test('a web origin that CORS_ORIGINS does not name (W6)', async () => {
    const connect = (origin: string): Promise<string> =>
      new Promise((resolve) => {
        const address = `${live.url().replace('http', 'ws')}/v2/socket/?EIO=4&transport=websocket`;
        const socket = new WebSocket(address, { origin });
        socket
          .on('open', () => resolve('open'))
          .on('error', (error: Error) => resolve(error.message));
        socket.on('open', () => socket.close());
      });
    expect(await connect('https://app.example.com')).toBe('open');
    expect(await connect('https://evil.example.com')).toMatch(/403/);
  });

  test('such an origin with an answer like every other (W2, W3, W6)', async () => {
    const { status, headers, body } = await rawExchange(
      live.url(),
      upgrade({ origin: 'https://evil.example.com' }),
    );
    expect([status, JSON.parse(body)]).toEqual([
      403,
      {
        code: 'unauthorized_error',
        details: expect.stringContaining('CORS_ORIGINS'),
        requestId: 'mine',
      },
    ]);
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(body.length),
      'x-request-id': 'mine',
      'x-content-type-options': 'nosniff',
      vary: 'Origin',
      connection: 'close',
    });
  });

  test.each([
    'EIO=3&transport=websocket',
    'EIO=4&transport=polling',
    'EIO=4&transport=websocket&sid=x',
    'EIO=4&EIO=3&transport=websocket',
    '',
  ])('what is no handshake of socket.io 4, with the envelope: %p (W2)', async (query) => {
    const { status, body } = await rawExchange(
      live.url(),
      upgrade({ path: `/v2/socket/?${query}` }),
    );
    expect([status, JSON.parse(body)]).toMatchObject([
      400,
      { code: 'invalid_request_error', requestId: 'mine' },
    ]);
  });

  test('an upgrade whose connection header a proxy has dropped, with the envelope (W2)', async () => {
    const dropped = upgrade({}).replace('connection: upgrade, close', 'connection: close');
    const { status, body } = await rawExchange(live.url(), dropped);
    expect([status, JSON.parse(body)]).toMatchObject([
      400,
      { code: 'invalid_request_error', requestId: 'mine' },
    ]);
  });

  test('a socket at any other path, with the envelope (W2)', async () => {
    const { status, body } = await rawExchange(live.url(), upgrade({ path: '/elsewhere' }));
    expect([status, JSON.parse(body)]).toEqual([
      404,
      {
        code: 'not_found_error',
        details: expect.stringContaining('nothing at this path'),
        requestId: 'mine',
      },
    ]);
  });

  test.each([
    ['of a wrong origin', upgrade({ origin: 'https://evil.example.com' })],
    ['to another path', upgrade({ path: '/elsewhere' })],
    ['that is accepted', upgrade({})],
  ])(
    'a client that is gone before its upgrade %s is answered, without harm to others (R4)',
    async (_, text) => {
      const { port } = new URL(live.url());
      for (let attempt = 0; attempt < 100; attempt++) {
        const socket = connectTcp(Number(port), '127.0.0.1');
        socket.write(text, () => setImmediate(() => socket.resetAndDestroy()));
        await new Promise((resolve) => socket.on('error', () => undefined).on('close', resolve));
      }
      expect((await live.get('/health')).status).toBe(200);
    },
  );

  test('more new sockets than the limit, which come back by themselves and get in', async () => {
    const { url } = await live.add({ LIVE_HANDSHAKES_PER_SECOND: '1' });
    // A slow machine lets them come no faster than they may, now and then.
    await until(async () => {
      const clients = await Promise.all(
        Array.from({ length: 4 }, () => live.connect('ann', { url })),
      );
      return clients.some((client) => client.events()[0] === 'disconnect');
    });
  });
});

describe('garbage', () => {
  const frames = [
    'garbage',
    '4',
    '40',
    '40{',
    '42/v2/client,["watch:flow","onboarding",1]',
    '40/v2/client,"text"',
    '40/v2/client,{"x-api-key":{"__proto__":1}}',
    '45-["blocks",{"_placeholder":true,"num":0}]',
    `4${'9'.repeat(400)}/v2/client,[]`,
    'x'.repeat(100_000),
  ];

  test.each(frames.map((frame) => [frame.slice(0, 60), frame]))(
    '%s ends at most its own connection',
    async (_, frame) => {
      const bystander = await live.connect('ann');
      const address = `${live.url().replace('http', 'ws')}/v2/socket/?EIO=4&transport=websocket&endUserIdentifier=ann`;
      const socket = new WebSocket(address);
      await new Promise((resolve) => socket.on('open', resolve));
      socket.on('error', () => undefined);
      socket.send(frame);
      socket.send(Buffer.from([0, 255, 1, 2]));
      await bystander.watch('onboarding');
      expect(bystander.events()).not.toContain('disconnect');
      socket.terminate();
    },
  );

  test.each([
    'GET /v2/socket/ HTTP/1.1\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n',
    '\u0000\u0001\u0002',
  ])('a broken upgrade is closed and the service lives on', async (text) => {
    const { port } = new URL(live.url());
    const socket = connectTcp(Number(port), '127.0.0.1');
    socket.end(text);
    await new Promise((resolve) => socket.on('close', resolve).resume());
    expect((await live.get('/health')).status).toBe(200);
  });

  test('events with payloads of every kind are answered or ignored', async () => {
    const client = await live.connect('ann');
    const payloads: unknown[][] = [
      [],
      [null],
      [{}, []],
      ['a', 'b', 'c', 'd'],
      [() => undefined],
      [Buffer.from('x')],
    ];
    for (const payload of payloads) {
      for (const event of ['watch:flow', 'watch:block', 'no:such', '__proto__', 'constructor'])
        client.socket.emit(event, ...payload);
    }
    expect((await client.watch('onboarding')).flow.sid).toBe('onboarding');
    expect(client.events()).not.toContain('disconnect');
  });
});
