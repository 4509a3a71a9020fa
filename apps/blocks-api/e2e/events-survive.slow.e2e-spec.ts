import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Database } from '@waymark/domain/database';
import { exportEvents, type PublicEvent } from '@waymark/domain/events';
import {
  addEndpoint,
  listEndpoints,
  pauseEndpoint,
  replayEndpoint,
  resumeEndpoint,
} from '@waymark/domain/outbound';
import { card, checklist, defineFlow } from '@waymark/testing/builders';
import { Receiver, spawnService, type SpawnedService, until } from '@waymark/testing/services';
import { Fixture } from '@waymark/testing/fixture';
import { setTimeout as pause } from 'node:timers/promises';

const BY = { by: 'test' };
const USERS = Array.from({ length: 12 }, (_, index) => `user-${index}`);
let fixture: Fixture;
let receiver: Receiver;
/** Bodies that were answered with 2xx, as they came. */
const taken: string[] = [];

beforeAll(async () => {
  fixture = await Fixture.open();
  receiver = await Receiver.open();
  await fixture.commit(
    defineFlow({
      flow: 'tour',
      blocks: {
        hello: card({ complete: 'list' }),
        list: checklist(['one', 'two'], { complete: 'hello' }),
      },
    }),
  );
  await fixture.identifyAll(USERS, () => ({}));
});
afterAll(async () => {
  receiver.close();
  await fixture.close();
});

const spawn = () =>
  spawnService('blocks-api', {
    DATABASE_URL: fixture.testDatabase.url,
    WEBHOOK_PRIVATE_ADDRESSES: 'on',
    LOG_LEVEL: 'info',
  });

/** A receiver in trouble: every kind of it, one after the other, and well in between. */
const troubles = [500, 'hang', 204, 'close', 302, 204, 429, 503, 204];
let at = 0;
function misbehave(): void {
  receiver.behaviour = ({ body }, response) => {
    const trouble = troubles[Math.floor(at++ / 7) % troubles.length]!;
    if (trouble === 'hang') return;
    if (trouble === 'close') return void response.destroy();
    if (trouble === 204) taken.push(body);
    return trouble as number;
  };
}
function behave(): void {
  receiver.behaviour = ({ body }) => {
    taken.push(body);
    return 204;
  };
}

/** Commands of many users on two replicas, until it is stopped. */
async function command(on: Fixture, isOver: () => boolean): Promise<void> {
  for (let turn = 0; !isOver(); turn++) {
    const user = USERS[turn % USERS.length]!;
    const ways = [
      () => on.read(user, 'tour'),
      () => on.take(user, 'tour', 'latest', 'hello', ['complete']),
      () => on.take(user, 'tour', 'latest', 'one', ['complete']),
      () =>
        on.run(user, 'tour', 'latest', {
          kind: turn % 5 === 0 ? 'stop' : 'reset',
          force: true,
        } as never),
    ];
    await ways[(turn * 7 + Math.floor(turn / USERS.length)) % ways.length]!();
    await pause(10);
  }
}

/** A transaction that writes an event early and commits it late. */
async function holdOpen(index: number): Promise<void> {
  const runner = fixture.dataSource.createQueryRunner();
  await runner.startTransaction();
  await runner.query(
    `INSERT INTO flow_events (user_id, flow, version, revision, event)
     SELECT user_id, 'late', 1, $2, '{"format":1,"cause":{"kind":"stop"},"changes":[{"kind":"flow","stopped":true}]}' FROM users WHERE identifier = $1`,
    [USERS[0], index],
  );
  await pause(1_500);
  await runner.commitTransaction();
  await runner.release();
}

/**
 * What is said of a process that is killed: nothing more comes of it, so that its lease need not be
 * waited for.
 */
async function killAndReplace(service: SpawnedService): Promise<SpawnedService> {
  service.process.kill('SIGKILL');
  await service.ended;
  await fixture.dataSource.query(
    'UPDATE endpoint_progress SET lease_until = now() WHERE lease_until > now()',
  );
  return spawn();
}

async function recorded(): Promise<PublicEvent[]> {
  const environment = { id: fixture.environmentId, name: 'development' };
  const all: PublicEvent[] = [];
  for await (const { events } of exportEvents(
    new Database(fixture.dataSource),
    fixture.dataSource.manager,
    environment,
    {
      from: 'beginning',
    },
  ))
    all.push(...events);
  return all;
}

test('nothing is lost and nothing is told early, whatever happens to workers, receiver and transactions (R14)', async () => {
  await addEndpoint(
    fixture.dataSource,
    fixture.environmentId,
    { name: 'sink', url: receiver.url, from: 'beginning' },
    BY,
  );
  misbehave();
  let isOver = false;
  const work = [fixture, await fixture.replica()].map((on) => command(on, () => isOver));
  const services = await Promise.all([spawn(), spawn()]);
  for (let round = 0; round < 4; round++) {
    await Promise.all([holdOpen(round + 1), pause(1_000)]);
    services[round % 2] = await killAndReplace(services[round % 2]!);
    if (round === 1) await pauseEndpoint(fixture.dataSource, fixture.environmentId, 'sink', BY);
    if (round === 2) await resumeEndpoint(fixture.dataSource, fixture.environmentId, 'sink', BY);
    if (round === 3)
      await replayEndpoint(fixture.dataSource, fixture.environmentId, 'sink', 'beginning', BY);
  }
  isOver = true;
  await Promise.all(work);
  behave();
  await fixture.dataSource.query('UPDATE endpoint_progress SET next_attempt_at = now()');
  await until(
    async () =>
      (await listEndpoints(fixture.dataSource.manager, fixture.environmentId))[0]!.backlog === 0,
  );
  await Promise.all(services.map((service) => service.stop()));

  const expected = await recorded();
  const told = taken.map((body) => (JSON.parse(body) as { data: PublicEvent }).data);
  expect(new Set(told.map(({ id }) => id))).toEqual(new Set(expected.map(({ id }) => id)));
  // Repeats say the same as the first time.
  expect(new Set(taken).size).toBe(expected.length);
  const stateOf = ({ user, flow }: PublicEvent) => `${user} ${flow}`;
  const inOrder = (events: readonly PublicEvent[], state: string) =>
    events.filter((event) => stateOf(event) === state).map(({ id }) => id);
  for (const state of new Set(expected.map(stateOf)))
    expect(inOrder(firstOf(told), state)).toEqual(inOrder(expected, state));
  expect(expected.length).toBeGreaterThan(50);
});

/** Each event where it came first. */
function firstOf(events: readonly PublicEvent[]): PublicEvent[] {
  const seen = new Set<string>();
  return events.filter(({ id }) => !seen.has(id) && seen.add(id));
}
