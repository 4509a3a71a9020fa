import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { card, checklist, defineFlow, modal } from '@waymark/testing/builders';
import { startFaultProxy } from '@waymark/testing/fault-proxy';
import { Receiver, until } from '@waymark/testing/services';
import { Fixture } from '@waymark/testing/fixture';
import { Webhook } from 'standardwebhooks';
import type { DataSource } from 'typeorm';
import { Database } from '../../database/index.js';
import { createDataSource } from '../../schema/index.js';
import { deleteUser } from '../../records/index.js';
import { findOldestWriter } from '../../events/index.js';
import {
  addEndpoint,
  DeliveryWorker,
  type DeliveryWorkerSettings,
  type Endpoint,
  type LeasedEndpoint,
  listEndpoints,
  listFailures,
  type NewEndpoint,
  pauseEndpoint,
  removeEndpoint,
  replayEndpoint,
  resumeEndpoint,
  rotateEndpointSecret,
} from '../index.js';

const BY = { by: 'test' };
let fixture: Fixture;
let receiver: Receiver;
let workers: DeliveryWorker[];
let outcomes: string[];
let users: string[];
let count = 0;

beforeAll(async () => {
  fixture = await Fixture.open();
  await fixture.commit(
    defineFlow({
      flow: 'tour',
      blocks: {
        hello: modal({ complete: 'list' }),
        list: checklist(['one', 'two'], { complete: 'finish' }),
      },
    }),
  );
  await fixture.commit(defineFlow({ flow: 'other', blocks: { alone: card() } }));
});
afterAll(() => fixture.close());
beforeEach(async () => {
  receiver = await Receiver.open();
  workers = [];
  outcomes = [];
  users = Array.from({ length: 3 }, () => `user-${++count}`);
  await Promise.all(users.map((user) => fixture.identify(user)));
});
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.stop(0)));
  receiver.close();
  await fixture.dataSource.query('DELETE FROM endpoints');
  await fixture.dataSource.query('DELETE FROM flow_events');
  await fixture.dataSource.query('DELETE FROM flow_states');
});

const work = (
  settings: Partial<DeliveryWorkerSettings> = {},
  on: Pick<Fixture, 'database'> = fixture,
): DeliveryWorker => {
  const worker = new DeliveryWorker(on.database, {
    sending: { allowPrivateAddresses: true, timeoutMs: 300_000 },
    pollMs: 20,
    idleMs: 20,
    refusalPausesMs: [20, 20, 20, 20],
    longestPauseSeconds: 0.05,
    onOutcome: (_: LeasedEndpoint, outcome, events, code) =>
      outcomes.push([outcome, events, code].filter(Boolean).join(' ')),
    ...settings,
  });
  workers.push(worker);
  worker.start();
  return worker;
};
const add = (wanted: Partial<NewEndpoint> = {}): Promise<Endpoint> =>
  addEndpoint(
    fixture.dataSource,
    fixture.environmentId,
    { name: 'sink', url: receiver.url, ...wanted },
    BY,
  );
const list = async () =>
  (await listEndpoints(fixture.dataSource.manager, fixture.environmentId))[0]!;
/** Starts the flow and completes its first block: four events of two steps. */
const play = async (user: string) => {
  await fixture.read(user, 'tour');
  await fixture.take(user, 'tour', 'latest', 'hello', ['complete']);
};
const PLAYED = [
  'flow.started',
  'block.entered',
  'block.exited',
  'block.entered',
  'block.entered',
  'block.entered',
];
const typesOf = (user: string) =>
  receiver.documents.filter(({ data }) => data['user'] === user).map(({ type }) => type);
const idsOf = () => receiver.documents.map(({ data }) => data['id'] as string);
const settled = () => until(async () => (await list()).backlog === 0);

/** By way of a proxy that can take it away. */
class AwayDatabase {
  /** How often it was found missing. */
  count = 0;
  readonly database: Database;

  constructor(readonly dataSource: DataSource) {
    this.database = new Database(dataSource);
  }
}
const connectTo = (url: string) =>
  createDataSource({
    ...{ url, poolSize: 5, applicationName: 'away' },
    ...{ statementTimeoutMs: 0, connectTimeoutMs: 5_000, answerTimeoutMs: 0 },
  }).initialize();

describe('an endpoint', () => {
  test('hears what happens, signed, each state in order (E6, E7)', async () => {
    const { secret } = await add();
    work();
    for (const user of users) await play(user);
    await receiver.until((all) => all.length === 3 * PLAYED.length);
    for (const user of users) expect(typesOf(user)).toEqual(PLAYED);
    for (const { body, headers } of receiver.received) {
      const verified = new Webhook(secret!).verify(body, headers as Record<string, string>) as {
        type: string;
        data: { id: string };
      };
      expect(verified.data.id).toBe(headers['webhook-id']);
    }
    expect(receiver.received[0]!.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'waymark',
    });
    await settled();
    expect(await list()).toMatchObject({
      state: 'delivering',
      backlog: 0,
      oldestSeconds: null,
      lastError: null,
    });
  });

  test('hears what it asked for only: flows, types, no drafts (E6)', async () => {
    await add({ flows: ['tour'], types: ['flow.started', 'flow.stopped'] });
    work();
    await fixture.read(users[0]!, 'other');
    await fixture.read(users[0]!, 'tour', 0);
    await play(users[0]!);
    await fixture.run(users[0]!, 'tour', 'latest', { kind: 'stop' });
    await receiver.until((all) => all.length === 2);
    await settled();
    expect(receiver.documents.map(({ type, data }) => [type, data['version']])).toEqual([
      ['flow.started', 1],
      ['flow.stopped', 1],
    ]);
  });

  test('hears nothing of another environment, and version 0 where it wants to (E6)', async () => {
    await add({ drafts: true });
    const [row] = (await fixture.dataSource.query(
      "SELECT id FROM environments WHERE name = 'production'",
    )) as { id: string }[];
    await addEndpoint(
      fixture.dataSource,
      row!.id,
      { name: 'sink', url: `${receiver.url}production` },
      BY,
    );
    work();
    await fixture.read(users[0]!, 'tour', 0);
    await receiver.until((all) => all.length === 2);
    await settled();
    expect(receiver.documents.map(({ data }) => [data['version'], data['block']])).toEqual([
      [0, undefined],
      [0, 'hello'],
    ]);
  });

  test('begins now, at the beginning, or at a time (E6)', async () => {
    await fixture.read(users[0]!, 'tour');
    // A Date has milliseconds: the next whole one lies after the event above, and before the one
    // below.
    const [{ now }] = (await fixture.dataSource.query(
      "SELECT date_trunc('milliseconds', clock_timestamp()) + interval '1 ms' AS now, pg_sleep(0.002)",
    )) as [{ now: Date }];
    await fixture.read(users[1]!, 'tour');
    await add({ name: 'now' });
    await add({
      name: 'beginning',
      from: 'beginning',
      headers: [{ name: 'x-from', value: 'beginning' }],
    });
    await add({ name: 'time', from: now, headers: [{ name: 'x-from', value: 'time' }] });
    await fixture.read(users[2]!, 'tour');
    work();
    await receiver.until((all) => all.length === 2 * (1 + 2 + 3));
    const usersOf = (from?: string) =>
      new Set(
        receiver.received
          .filter(({ headers }) => headers['x-from'] === from)
          .map(({ body }) => (JSON.parse(body) as { data: { user: string } }).data.user),
      );
    expect([usersOf(), usersOf('time'), usersOf('beginning')]).toEqual([
      new Set([users[2]]),
      new Set([users[1], users[2]]),
      new Set(users),
    ]);
  });

  test('gets batches of track calls in the format segment (E7)', async () => {
    await add({ format: 'segment', headers: [{ name: 'Authorization', value: 'Basic a2V5Og==' }] });
    await fixture.run(`${users[0]}/acme`, 'tour', 'latest', { kind: 'start', force: true });
    for (const user of users.slice(1)) await play(user);
    work();
    // What was written last may come in a second batch, after the transactions that began before
    // it.
    const tracked = (all: readonly (typeof receiver.received)[number][]) =>
      all.flatMap(({ body }) => (JSON.parse(body) as { batch: Record<string, unknown>[] }).batch);
    await receiver.until((all) => tracked(all).length === 2 + 2 * PLAYED.length);
    const batch = tracked(receiver.received);
    expect(receiver.received.length).toBeLessThan(batch.length);
    expect(receiver.received[0]!.headers).toMatchObject({ authorization: 'Basic a2V5Og==' });
    expect(receiver.received[0]!.headers).not.toHaveProperty('webhook-signature');
    expect(batch.find(({ userId }) => userId === users[0])).toEqual({
      type: 'track',
      event: 'flow.started',
      userId: users[0],
      messageId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      properties: {
        environment: 'development',
        flow: 'tour',
        version: 1,
        revision: 1,
        command: 'start',
        by: 'request',
      },
      context: { groupId: 'acme', library: { name: 'waymark' } },
    });
  });

  test('that is paused hears later, after a resume, and once removed nothing (E6)', async () => {
    await add();
    work();
    await pauseEndpoint(fixture.dataSource, fixture.environmentId, 'sink', BY);
    await fixture.read(users[0]!, 'tour');
    expect(await list()).toMatchObject({ state: 'paused', backlog: 1 });
    await resumeEndpoint(fixture.dataSource, fixture.environmentId, 'sink', BY);
    await receiver.until((all) => all.length === 2);
    await removeEndpoint(fixture.dataSource, fixture.environmentId, 'sink', BY);
    await fixture.read(users[1]!, 'tour');
    await until(
      async () =>
        (await listEndpoints(fixture.dataSource.manager, fixture.environmentId)).length === 0,
    );
    expect(typesOf(users[1]!)).toEqual([]);
  });

  test('hears everything again with the same ids after a replay (E6)', async () => {
    await add();
    work();
    await play(users[0]!);
    await receiver.until((all) => all.length === PLAYED.length);
    const first = idsOf();
    await settled();
    await replayEndpoint(fixture.dataSource, fixture.environmentId, 'sink', 'beginning', BY);
    await receiver.until((all) => all.length === 2 * PLAYED.length);
    expect(idsOf().slice(first.length)).toEqual(first);
  });

  test('knows what is signed with the old secret and the new one while it is rotated (E6, E7)', async () => {
    const { secret: old } = await add();
    const secret = await rotateEndpointSecret(
      fixture.dataSource,
      fixture.environmentId,
      'sink',
      BY,
    );
    work();
    await fixture.read(users[0]!, 'tour');
    await receiver.until((all) => all.length === 2);
    const [{ body, headers }] = receiver.received as [
      { body: string; headers: Record<string, string> },
    ];
    for (const known of [old!, secret])
      expect(new Webhook(known).verify(body, headers)).toBeTruthy();
    await fixture.dataSource.query(
      "UPDATE endpoints SET previous_secret_until = now() - interval '1 second'",
    );
    await fixture.read(users[1]!, 'tour');
    await receiver.until((all) => all.length === 4);
    const last = receiver.received.at(-1)!;
    expect(() =>
      new Webhook(old!).verify(last.body, last.headers as Record<string, string>),
    ).toThrow();
  });

  test('hears nothing of a user who was deleted before (E5)', async () => {
    await add();
    await play(users[0]!);
    await play(users[1]!);
    await deleteUser(
      ...([
        fixture.dataSource,
        fixture.environmentId,
        users[0]!,
        fixture.changes,
        BY,
      ] as unknown as Parameters<typeof deleteUser>),
    );
    work();
    await receiver.until((all) => all.length === PLAYED.length);
    await settled();
    expect(typesOf(users[0]!)).toEqual([]);
  });
});

const upgrade = (response: ServerResponse) =>
  response.writeHead(101, { connection: 'upgrade', upgrade: 'x' }).end();
const goOn = (response: ServerResponse) => {
  for (let sent = 0; sent <= 100; sent++) response.writeContinue();
};

describe('a receiver', () => {
  test.each([
    ['answers 500', 'answered 500', () => 500],
    ['redirects', 'answered 302, redirects are not followed', () => 302],
    ['refuses the key', 'answered 401', () => 401],
    ['is overloaded', 'answered 429', () => 429],
    [
      'closes the connection',
      'the connection was closed without an answer (ECONNRESET)',
      (_: unknown, response: { destroy(): void }) => void response.destroy(),
    ],
    [
      'speaks another protocol',
      'answered 101',
      (_: unknown, response: ServerResponse) => void upgrade(response),
    ],
    [
      'goes on continuing',
      'more than 100 interim answers, such as 100 Continue',
      (_: unknown, response: ServerResponse) => goOn(response),
    ],
    ['hangs', 'no answer within 0.4 s', () => undefined],
  ] as const)(
    'that %s gets everything once it is well, in order and with the same ids (E8)',
    async (_, error, behaviour) => {
      await add();
      receiver.behaviour = behaviour as never;
      const sending = {
        allowPrivateAddresses: true,
        timeoutMs: error.startsWith('no answer') ? 400 : 300_000,
      };
      work({ sending });
      await play(users[0]!);
      await until(async () => (await list()).state === 'down');
      expect(await list()).toMatchObject({ lastError: error, failures: 0 });
      await receiver.until((all) => all.length >= 3);
      expect(new Set(idsOf()).size).toBe(1);
      // From now on it is well, however slow the machine is.
      sending.timeoutMs = 300_000;
      receiver.behaviour = () => 204;
      const before = receiver.received.length;
      await receiver.until((all) => all.length >= before + PLAYED.length);
      await settled();
      expect(typesOf(users[0]!).slice(-PLAYED.length)).toEqual(PLAYED);
      await until(async () => (await list()).state === 'delivering');
      expect(await list()).toMatchObject({ lastError: null });
    },
  );

  test('that speaks no TLS is told of in words (E8)', async () => {
    await add({ url: receiver.url.replace('http:', 'https:') });
    work();
    await play(users[0]!);
    await until(async () => (await list()).state === 'down');
    expect(await list()).toMatchObject({ lastError: 'no TLS connection: wrong version number' });
    expect(outcomes[0]).toBe('down 1 webhook.no-tls');
  });

  test('that answers without end is not listened to (E8)', async () => {
    await add();
    receiver.behaviour = (_, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('x'.repeat(100)), 5);
      response.on('close', () => clearInterval(drip));
    };
    work();
    await fixture.read(users[0]!, 'tour');
    await settled();
    expect(typesOf(users[0]!)).toEqual(['flow.started', 'block.entered']);
  });

  test('that refuses one event gets the others, and the one is set aside after five tries (E8)', async () => {
    await add();
    receiver.behaviour = ({ body }) => (body.includes('block.exited') ? 422 : 204);
    work();
    for (const user of users) await play(user);
    await settled();
    for (const user of users)
      expect(typesOf(user)).toEqual([
        ...PLAYED.slice(0, 2),
        ...Array(5).fill('block.exited'),
        ...PLAYED.slice(3),
      ]);
    const failures = await listFailures(fixture.dataSource.manager, fixture.environmentId, 'sink');
    expect(failures.map(({ event, error }) => [event.type, error])).toEqual(
      Array(3).fill(['block.exited', 'answered 422']),
    );
    expect(outcomes.filter((outcome) => outcome.startsWith('set-aside'))).toHaveLength(3);
    expect(await list()).toMatchObject({ state: 'delivering', failures: 3 });
  });

  test('that refuses one event of a batch gets the others, the batch halved (E7, E8)', async () => {
    await add({ format: 'segment' });
    const accepted: string[] = [];
    receiver.behaviour = ({ body }) => {
      const { batch } = JSON.parse(body) as { batch: { event: string; userId: string }[] };
      if (batch.some(({ event, userId }) => event === 'block.exited' && userId === users[1]))
        return 400;
      accepted.push(...batch.map(({ event, userId }) => `${userId} ${event}`));
      return 200;
    };
    for (const user of users) await play(user);
    work();
    await settled();
    const expected = users.map((user) =>
      PLAYED.filter((type) => user !== users[1] || type !== 'block.exited').map(
        (type) => `${user} ${type}`,
      ),
    );
    for (const all of expected)
      expect(accepted.filter((text) => text.startsWith(`${all[0]!.split(' ')[0]} `))).toEqual(all);
    expect(
      await listFailures(fixture.dataSource.manager, fixture.environmentId, 'sink'),
    ).toHaveLength(1);
  });

  test('that refuses a hundred in a row is paused, and nothing more is set aside (E8)', async () => {
    await add({ types: ['flow.started'] });
    const many = Array.from({ length: 110 }, (_, index) => `many-${count}-${index}`);
    await fixture.identifyAll(many, () => ({}));
    for (const user of many) await fixture.read(user, 'tour');
    receiver.behaviour = () => 400;
    work({ refusalPausesMs: [] });
    await until(async () => (await list()).state === 'paused');
    expect(await list()).toMatchObject({
      pauseReason: 'the receiver refused 100 events in a row',
      lastError: 'answered 400',
    });
    expect((await list()).failures).toBeGreaterThanOrEqual(100);
    expect((await list()).failures).toBeLessThanOrEqual(108);
  });

  test('that answers 410 is paused, and everything waits (E8)', async () => {
    await add();
    receiver.behaviour = () => 410;
    work();
    await play(users[0]!);
    await until(async () => (await list()).state === 'paused');
    expect(await list()).toMatchObject({
      pauseReason: 'the receiver answered 410',
      backlog: 2,
      failures: 0,
    });
  });

  test('on a private address gets nothing unless that is allowed (S19, E8)', async () => {
    await add();
    work({ sending: { allowPrivateAddresses: false, timeoutMs: 300_000 } });
    await play(users[0]!);
    await until(async () => (await list()).state === 'down');
    expect((await list()).lastError).toContain('127.0.0.1 is a private or loopback address');
    expect(receiver.received).toEqual([]);
  });

  test('that hangs holds up no other endpoint (E8)', async () => {
    const other = await Receiver.open();
    receiver.behaviour = () => undefined;
    await add();
    await add({ name: 'well', url: other.url });
    work();
    await play(users[0]!);
    await other.until((all) => all.length === PLAYED.length);
    other.close();
  });
});

describe('a worker', () => {
  test('takes over from another that ended, and repeats nothing that is settled (E8)', async () => {
    await add();
    const first = work();
    await play(users[0]!);
    await settled();
    await first.stop();
    await play(users[1]!);
    work({}, await fixture.replica());
    await settled();
    expect(new Set(idsOf()).size).toBe(2 * PLAYED.length);
    expect(idsOf()).toHaveLength(2 * PLAYED.length);
  });

  test('takes over when the lease of one that died is over, which has no say any more (E8)', async () => {
    await add();
    await fixture.dataSource.query(
      "UPDATE endpoint_progress SET lease_token = gen_random_uuid(), lease_until = now() + interval '1 hour'",
    );
    work();
    await play(users[0]!);
    expect(receiver.received).toEqual([]);
    await fixture.dataSource.query('UPDATE endpoint_progress SET lease_until = now()');
    await receiver.until((all) => all.length === PLAYED.length);
  });

  test('takes back what it held itself once the database is there again (E8)', async () => {
    const { url } = fixture.testDatabase;
    const proxy = await startFaultProxy({ port: Number(new URL(url).port) });
    const away = new AwayDatabase(await connectTo(proxy.through(url)));
    await add();
    const worker = work({ onTrouble: () => away.count++ }, away);
    await play(users[0]!);
    await settled();
    proxy.set({ kind: 'refuse' });
    proxy.reset();
    await until(() => away.count > 3);
    await fixture.dataSource.query(
      "UPDATE endpoint_progress SET lease_until = now() + interval '1 hour' WHERE lease_until > now()",
    );
    proxy.heal();
    await play(users[1]!);
    await receiver.until((all) => all.length === 2 * PLAYED.length);
    await worker.stop();
    await away.dataSource.destroy();
    await proxy.close();
  });

  test('does not skip what was written before and committed after, and says which transaction it waits for (E1, E3)', async () => {
    await add();
    work();
    const late = fixture.dataSource.createQueryRunner();
    await late.startTransaction();
    await late.query(
      `INSERT INTO flow_events (user_id, flow, version, revision, event)
       SELECT user_id, 'tour', 1, 1, '{"format":1,"cause":{"kind":"stop"},"changes":[{"kind":"flow","stopped":true}]}' FROM users WHERE identifier = $1`,
      [users[2]],
    );
    await play(users[0]!);
    expect(await list()).toMatchObject({ backlog: 2 });
    expect(receiver.received).toEqual([]);
    const [{ pid }] = (await late.query('SELECT pg_backend_pid() AS pid')) as [{ pid: number }];
    // A test beside this one may hold followers back too, for a while.
    await until(async () =>
      (await findOldestWriter(fixture.dataSource.manager))!.what.includes(`process ${pid} `),
    );
    await late.commitTransaction();
    await late.release();
    await settled();
    expect(typesOf(users[2]!)).toEqual(['flow.stopped']);
    expect(typesOf(users[0]!)).toEqual(PLAYED);
  });

  test('rests between windows while the process has more urgent work, and loses nothing (P13, E8)', async () => {
    const many = Array.from({ length: 120 }, (_, index) => `${users[0]!}-${index}`);
    for (const user of many) await fixture.identify(user);
    await Promise.all(many.map((user) => play(user)));
    let windows = 0;
    const since = performance.now();
    await add({ from: 'beginning' });
    work({ isBusy: () => ++windows > 0 });
    await settled();
    expect(receiver.received).toHaveLength(many.length * PLAYED.length);
    expect(new Set(idsOf()).size).toBe(many.length * PLAYED.length);
    expect(windows).toBeGreaterThanOrEqual(3);
    // A lower bound, which no slow machine breaks: two rests at least lie before the last event.
    expect(performance.now() - since).toBeGreaterThan(500);
  });

  test('tells how far each endpoint is behind (E10)', async () => {
    await add();
    receiver.behaviour = () => 503;
    const worker = work();
    await play(users[0]!);
    await until(() => worker.backlogs.some(({ seconds }) => seconds > 0));
    expect(worker.backlogs).toEqual([
      { environment: 'development', endpoint: 'sink', seconds: expect.any(Number) },
    ]);
    receiver.behaviour = () => 200;
    await until(() => worker.backlogs.every(({ seconds }) => seconds === 0));
  });
});

describe('what cannot be an endpoint is refused: ', () => {
  test.each<[string, Partial<NewEndpoint>]>([
    ['is not allowed', { name: 'a b' }],
    ['is not an address to send to', { url: 'ftp://host/' }],
    ['is not an address to send to', { url: 'nowhere' }],
    ['name or password', { url: 'https://me:secret@host/' }],
    ['there is no format', { format: 'xml' }],
    ['there is no type of event "flow.flown"', { types: ['flow.flown' as never] }],
    ['there is no flow "nope"', { flows: ['nope'] }],
    ['written by Waymark', { headers: [{ name: 'Webhook-Signature', value: 'x' }] }],
    ['written by Waymark', { headers: [{ name: 'Host', value: 'x' }] }],
    ['written by Waymark', { headers: [{ name: 'Content-Type', value: 'x' }] }],
    ['cannot be the name of a header', { headers: [{ name: 'a b', value: 'x' }] }],
    ['cannot be the name of a header', { headers: [{ name: 'a\r\nb', value: 'x' }] }],
    ['characters that HTTP cannot carry', { headers: [{ name: 'a', value: 'x\r\nhost: evil' }] }],
    ['characters that HTTP cannot carry', { headers: [{ name: 'a', value: 'x\0' }] }],
  ])('%s (E6)', async (message, wanted) => {
    await expect(add(wanted)).rejects.toMatchObject({
      code: 'request.invalid',
      message: expect.stringContaining(message),
    });
    expect(await listEndpoints(fixture.dataSource.manager, fixture.environmentId)).toEqual([]);
  });

  test('a name that is taken, and one that is not (E6)', async () => {
    await add();
    await expect(add()).rejects.toThrow('there is an endpoint "sink" in this environment already');
    await expect(
      pauseEndpoint(fixture.dataSource, fixture.environmentId, 'snik', BY),
    ).rejects.toMatchObject({
      code: 'endpoint.unknown',
      message: 'there is no endpoint "snik" in this environment (there are: sink)',
    });
  });
});
