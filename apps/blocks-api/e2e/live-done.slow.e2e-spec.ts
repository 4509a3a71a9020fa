import { createRequire } from 'node:module';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createKey } from '@waymark/domain/access';
import { card, checklist, defineFlow, doneBy } from '@waymark/testing/builders';
import { call, type SpawnedService, spawnService, untilSoon } from '@waymark/testing/services';
import { LiveReplicas } from './live-replicas.js';

// The version that socket.io brings along: thousands of full clients would weigh more than the
// services.
const { WebSocket } = createRequire(createRequire(import.meta.url).resolve('socket.io'))('ws') as {
  WebSocket: new (url: string, options: object) => PlainSocket;
};
interface PlainSocket {
  on(event: 'message' | 'error', listener: (data: Buffer) => void): void;
  send(text: string): void;
  terminate(): void;
}

const USERS = 10_000;
const AT_ONCE = 50;
/** So many users have a page on the other replica too. */
const TWICE = 10;
const names = Array.from({ length: USERS }, (_, index) => `user-${index}`);

let live: LiveReplicas;
let users: SpawnedService;
let usersKey: string;
beforeAll(async () => {
  const plenty = {
    LOG_LEVEL: 'info',
    LIVE_HANDSHAKES_PER_SECOND: '100000',
    LIVE_HANDSHAKES_PER_ADDRESS: '100000',
    LIVE_SOCKETS_PER_ADDRESS: '10000',
    CONNECTIONS_PER_ADDRESS: '20000',
    REQUESTS_PER_ADDRESS: '1000000',
  };
  live = await LiveReplicas.open(2, plenty);
  const about = { environment: 'development', kind: 'users' as const };
  usersKey = (await createKey(live.fixture.dataSource, about, { by: 'test' })).key;
  users = await spawnService('users-api', {
    DATABASE_URL: live.fixture.testDatabase.url,
    LOG_LEVEL: 'info',
  });
  const list = doneBy({ invite: 'user.properties.invited' }, checklist(['invite', 'other']));
  await live.commit(
    defineFlow({ flow: 'todo', blocks: { list } }),
    defineFlow({
      flow: 'clock',
      blocks: { soon: doneBy('now() > user.createdAt + minutes(1)', card({ complete: 'finish' })) },
    }),
  );
});
afterAll(async () => {
  await users.stop();
  await live.close();
});

/** For all users, so many at once. */
async function forAll<Result>(work: (user: string, index: number) => Promise<Result>) {
  const results: Result[] = [];
  for (let from = 0; from < USERS; from += AT_ONCE)
    results.push(
      ...(await Promise.all(
        names.slice(from, from + AT_ONCE).map((user, index) => work(user, from + index)),
      )),
    );
  return results;
}

/** Resolves once it has its snapshot; what is pushed afterwards is counted. */
function watch(user: string, replica: number, onPush: (blocks: string) => void) {
  const url = `${live.url(replica).replace('http', 'ws')}/v2/socket/?EIO=4&transport=websocket&endUserIdentifier=${user}`;
  const socket = new WebSocket(url, { perMessageDeflate: false });
  const auth = JSON.stringify({ 'x-api-key': live.key, pid: 'any', offset: 'todo@1' });
  let hasSnapshot = false;
  return new Promise<PlainSocket>((resolve, reject) => {
    socket.on('error', () => reject(new Error('the socket failed')));
    socket.on('message', (data) => {
      const text = data.toString();
      if (text === '2') socket.send('3');
      else if (text.startsWith('0')) socket.send(`40/v2/client,${auth}`);
      else if (text.startsWith('44')) reject(new Error(text));
      else if (text.startsWith('42/v2/client,["blocks"') && hasSnapshot) onPush(text);
      else if (text.startsWith('42/v2/client,["flow"')) {
        hasSnapshot = true;
        resolve(socket);
      }
    });
  });
}

test('10,000 open pages on two replicas learn of what an identify of one user did, then of all, each once, while requests are answered (Z1)', async () => {
  await live.fixture.identifyAll(names, () => ({}));
  const path = (user: string) => `/v2/flow/todo?userIdentifier=${user}&version=1`;
  await forAll((user) => live.get(path(user)));
  const pushed: string[] = [];
  const sockets = await forAll((user, index) =>
    watch(user, index % 2, (blocks) => pushed.push(blocks)),
  );
  const pushedTwice: string[] = [];
  for (const [index, user] of names.slice(0, TWICE).entries()) {
    sockets.push(await watch(user, (index + 1) % 2, (blocks) => pushedTwice.push(blocks)));
    const body = { identifier: user, properties: { invited: true } };
    await call({ url: users.url }, 'POST /identify', { key: usersKey, body });
    await untilSoon('the user saw it on both replicas', () =>
      [pushed, pushedTwice].every(({ length }) => length > index),
    );
  }
  expect([pushed, pushedTwice].map(({ length }) => length)).toEqual([TWICE, TWICE]);
  for (let from = 0; from < USERS; from += 100) {
    const body = names
      .slice(from, from + 100)
      .map((identifier) => ({ identifier, properties: { invited: true } }));
    const { status } = await call({ url: users.url }, 'POST /identify/batch', {
      key: usersKey,
      body,
    });
    expect(status).toBe(200);
  }
  await untilSoon('every page was notified', async () => {
    const { status } = await live.get(path('somebody'));
    expect(status).toBe(200);
    return pushed.length >= USERS;
  });
  for (const socket of sockets) socket.terminate();
  expect(pushed).toHaveLength(USERS);
  expect(pushedTwice).toHaveLength(TWICE);
  expect([...pushed, ...pushedTwice].filter((text) => !text.includes('"complete":true'))).toEqual(
    [],
  );
  const [row] = await live.fixture.dataSource.query<{ states: number }[]>(
    `SELECT count(*)::int AS states FROM flow_states WHERE flow = 'todo' AND revision = 2
       AND state -> 'blocks' -> 'u-invite' ->> 'exited' = 'true'`,
  );
  expect(row).toEqual({ states: USERS });
});

test('a page learns of what time alone has done (Z1)', async () => {
  await live.fixture.identify('late');
  await live.fixture.dataSource.query(
    "UPDATE users SET created_at = now() - interval '50 seconds' WHERE identifier = 'late'",
  );
  await live.get('/v2/flow/clock?userIdentifier=late&version=1');
  const client = await live.connect('late', { url: live.url(1) });
  const snapshot = await client.watch('clock');
  expect(snapshot.flow.state.finished).toBe(false);
  expect((await client.nextPush()).flow.state.finished).toBe(true);
});
