import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createDataSource } from '@waymark/domain/schema';
import { fold } from '@waymark/domain/engine';
import { createKey } from '@waymark/domain/access';
import { custom, defineFlow, modal, card } from '@waymark/testing/builders';
import { startFaultProxy } from '@waymark/testing/fault-proxy';
import {
  startThrowawayPostgres,
  type TestDatabase,
  type ThrowawayPostgres,
} from '@waymark/testing/postgres';
import { call, IN_TIME, spawnService, type SpawnedService, until } from '@waymark/testing/services';
import { Fixture } from '@waymark/testing/fixture';

/**
 * The whole of R2 is `WAYMARK_ROUNDS=1000`, that of R1 `WAYMARK_KILLS=20`; a run of the suite looks
 * at fewer.
 */
const ROUNDS = Number(process.env['WAYMARK_ROUNDS'] ?? 20);
const KILLS = Number(process.env['WAYMARK_KILLS'] ?? 4);
const CROWD = 50;
/** As many clients at once that moves of theirs share statements. */
const SURVIVORS = 24;

let server: ThrowawayPostgres;
let fixture: Fixture;
let key: string;
let replicas: SpawnedService[];

/** The database of a server that will crash under this process too. */
async function onServer(url: string): Promise<TestDatabase> {
  const timeouts = { statementTimeoutMs: 0, connectTimeoutMs: 120_000, answerTimeoutMs: 0 };
  const dataSource = await createDataSource({
    url,
    poolSize: 5,
    applicationName: 'test',
    ...timeouts,
  }).initialize();
  return {
    url,
    name: 'postgres',
    connect: () => Promise.resolve(dataSource),
    drop: () => dataSource.destroy(),
  };
}

const settings = () => ({ DATABASE_URL: server.url, SHUTDOWN_GRACE_MS: '0', LOG_LEVEL: 'info' });

beforeAll(async () => {
  server = await startThrowawayPostgres();
  fixture = await Fixture.open({ database: await onServer(server.url) });
  key = (
    await createKey(
      fixture.dataSource,
      { environment: 'development', kind: 'blocks' },
      { by: 'test' },
    )
  ).key;
  await fixture.commit(
    defineFlow({ flow: 'once', blocks: { o1: modal({ complete: 'o2' }), o2: card() } }),
  );
  await fixture.commit(defineFlow({ flow: 'loop', blocks: { again: custom({ again: 'again' }) } }));
  replicas = await Promise.all([
    spawnService('blocks-api', settings()),
    spawnService('blocks-api', settings()),
  ]);
});
afterAll(async () => {
  await Promise.all(replicas.map((replica) => replica.stop()));
  await fixture.close();
  await server.remove();
});

const transition = (user: string, uid: string, name: string) =>
  `POST /v2/block/${uid}/transition?userIdentifier=${user}&version=1&transitions=${name}`;

/** A command with a key of its own, sent anew to the next replica until one has answered (W5). */
async function insist(
  request: string,
  idempotencyKey: string,
  urls: () => string[],
): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const targets = urls();
    const answer = await call({ url: targets[attempt % targets.length]! }, request, {
      key,
      headers: { 'idempotency-key': idempotencyKey },
    }).catch(() => null);
    if (answer?.status === 204)
      return void expect(answer.headers.get('x-dopt-intent-side-effects')).toBe('true');
    if (answer) expect(answer.status).toBe(503);
  }
}

async function expectEachOnce(user: string, keys: string[]): Promise<void> {
  const events = await fixture.loadEvents(user, 'loop', 1);
  expect(events.map(({ revision }) => revision)).toEqual(events.map((_, index) => index + 1));
  expect(
    events
      .slice(1)
      .map(({ idempotencyKey }) => idempotencyKey)
      .sort(),
  ).toEqual([...keys].sort());
  const state = await fixture.findState(user, 'loop', 1);
  expect(state).toMatchObject({
    revision: events.length,
    state: fold(events.map(({ event }) => event)),
  });
}

test(`of ${CROWD} equal transitions at once on two replicas exactly one takes effect, ${ROUNDS} times (R2, S32)`, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const user = `racer-${round}`;
    await fixture.identify(user);
    await fixture.read(user, 'once');
    const answers = await Promise.all(
      Array.from({ length: CROWD }, (_, index) =>
        call(replicas[index % 2]!, transition(user, 'u-o1', 'complete'), { key }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: CROWD }, () => 204));
    const effects = answers.filter(
      ({ headers }) => headers.get('x-dopt-intent-side-effects') === 'true',
    );
    expect(effects).toHaveLength(1);
    expect((await fixture.loadEvents(user, 'once', 1)).map(({ revision }) => revision)).toEqual([
      1, 2,
    ]);
  }
});

test('answers that are lost after the work and asked for again leave the same state as if each were sent once (R6, B11)', async () => {
  const user = 'forgetful';
  await fixture.identify(user);
  await fixture.read(user, 'loop');
  const proxy = await startFaultProxy({ port: Number(new URL(replicas[0]!.url).port) });
  const keys = Array.from({ length: 30 }, (_, index) => `lost-${index}`);
  for (const [index, each] of keys.entries()) {
    proxy.set({ kind: 'drop-answer', times: index % 3 });
    await insist(transition(user, 'u-again', 'again'), each, () => [
      proxy.through('http://localhost/').replace(/\/$/, ''),
    ]);
  }
  await proxy.close();
  await expectEachOnce(user, keys);
});

test(`what was acknowledged is there after ${KILLS} kills of a replica and of PostgreSQL under load, each command once (R1)`, async () => {
  const users = Array.from({ length: SURVIVORS }, (_, index) => `survivor-${index}`);
  for (const user of users) {
    await fixture.identify(user);
    await fixture.read(user, 'loop');
  }
  const sent = new Map<string, string[]>(users.map((user) => [user, []]));
  let isOver = false;
  const load = Promise.all(
    users.map(async (user, place) => {
      const keys = sent.get(user)!;
      while (!isOver) {
        keys.push(`${user}-${keys.length}`);
        const urls = () => [replicas[place % 2]!.url, replicas[(place + 1) % 2]!.url];
        await insist(transition(user, 'u-again', 'again'), keys.at(-1)!, urls);
      }
    }),
  );
  const acknowledged = () => [...sent.values()].reduce((sum, keys) => sum + keys.length, 0);
  const more = (count: number) => {
    const goal = acknowledged() + count;
    return until(() => acknowledged() >= goal);
  };
  for (let round = 0; round < KILLS / 2; round++) {
    await more(60);
    const [victim] = replicas as [SpawnedService];
    victim.process.kill('SIGKILL');
    await victim.ended;
    await more(30);
    replicas[0] = await spawnService('blocks-api', settings());
    await more(30);
    await server.restart('immediate');
    await more(30);
  }
  isOver = true;
  await load;
  for (const user of users) await expectEachOnce(user, sent.get(user)!);
});

test('a database that gives no answer, or holds a row locked, is answered with 503; afterwards all is well (R4)', async () => {
  const user = 'patient';
  await fixture.identify(user);
  await fixture.read(user, 'loop');
  const proxy = await startFaultProxy({ port: server.port });
  const service = await spawnService('blocks-api', {
    ...settings(),
    ...IN_TIME,
    DATABASE_URL: proxy.through(server.url),
  });
  const move = () => call(service, transition(user, 'u-again', 'again'), { key });
  const read = () => call(service, `GET /v2/flow/loop?userIdentifier=${user}&version=1`, { key });
  const untilMoved = () => until(async () => (await move()).status === 204);
  const untilRead = () => until(async () => (await read()).status === 200);
  await untilMoved();
  proxy.set({ kind: 'black-hole' });
  const silent = await Promise.all([move(), read(), call(service, 'GET /health/live')]);
  expect(silent.map(({ status }) => status)).toEqual([503, 503, 200]);
  expect(silent[0].headers.get('retry-after')).not.toBeNull();
  proxy.heal();
  proxy.reset();
  await untilRead();
  const runner = fixture.dataSource.createQueryRunner();
  await runner.startTransaction();
  await runner.query("SELECT FROM flow_states WHERE flow = 'loop' FOR UPDATE");
  expect((await move()).status).toBe(503);
  await untilRead();
  await runner.rollbackTransaction();
  await runner.release();
  await untilMoved();
  await service.stop();
  await proxy.close();
});
