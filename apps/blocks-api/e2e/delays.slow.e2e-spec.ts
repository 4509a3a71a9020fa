import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { card, defineFlow, delay } from '@waymark/testing/builders';
import { Fixture } from '@waymark/testing/fixture';
import { type SpawnedService, spawnService, until } from '@waymark/testing/services';

const HOUR = 3_600_000;
const MANY = Array.from({ length: 10_000 }, (_, index) => `user-${index}`);

let fixture: Fixture;
let replicas: SpawnedService[] = [];

beforeAll(async () => {
  fixture = await Fixture.open();
});
afterEach(async () => {
  await Promise.all(replicas.map((replica) => replica.stop()));
  replicas = [];
});
afterAll(() => fixture.close());

/** A replica; its own clock may be wrong. */
async function start(clockIsLate = 0): Promise<SpawnedService> {
  const wrong = `const Real = Date; globalThis.Date = class extends Real {
    constructor(...given) { given.length > 0 ? super(...given) : super(Real.now() + ${clockIsLate}); }
    static now() { return Real.now() + ${clockIsLate}; }
  };`;
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(wrong)}`;
  const replica = await spawnService('blocks-api', {
    DATABASE_URL: fixture.testDatabase.url,
    LOG_LEVEL: 'info',
    ...(clockIsLate !== 0 && { NODE_OPTIONS }),
  });
  replicas.push(replica);
  return replica;
}

const commit = (flow: string, time: number) =>
  fixture.commit(
    defineFlow({
      flow,
      blocks: { [`wait-${flow}`]: delay(`then-${flow}`, time), [`then-${flow}`]: card() },
    }),
  );
const enter = async (users: readonly string[], flow: string) => {
  await fixture.identifyAll(users, () => ({}));
  for (let from = 0; from < users.length; from += 1_000)
    await Promise.all(users.slice(from, from + 1_000).map((user) => fixture.read(user, flow)));
};
const count = async (from: string, flow: string): Promise<number> => {
  const sql = `SELECT count(*)::int AS count FROM ${from} AND flow = $1`;
  const [row] = await fixture.dataSource.query<{ count: number }[]>(sql, [flow]);
  return row!.count;
};
const rowsOf = (flow: string) => count('delays WHERE true', flow);
const continued = (flow: string) => count("flow_events WHERE origin = 'delay'", flow);

test('10,000 delays that are due at once go on exactly once each, a replica killed amid, another restarted (Z4, R1, S32)', async () => {
  await commit('many', 1);
  await enter(MANY, 'many');
  expect(await rowsOf('many')).toBe(MANY.length);
  const [victim, other] = [await start(), await start()];
  await until(async () => (await continued('many')) > 1_000);
  victim.process.kill('SIGKILL');
  await until(async () => (await continued('many')) > 4_000);
  other.process.kill('SIGKILL');
  await Promise.all([victim.ended, other.ended]);
  expect(await rowsOf('many')).toBeGreaterThan(0);
  await start();
  await until(async () => (await rowsOf('many')) === 0);
  expect(await continued('many')).toBe(MANY.length);
  const [all] = await fixture.dataSource.query(
    `SELECT count(*)::int AS states, min(revision) AS least, max(revision) AS most,
       count(*) FILTER (WHERE state #> '{blocks,u-then-many,active}' = 'true' AND NOT state ? 'waiting')::int AS beyond
     FROM flow_states WHERE flow = 'many'`,
  );
  expect(all).toEqual({ states: MANY.length, least: 2, most: 2, beyond: MANY.length });
});

test('delays whose users are carried over meanwhile go on in one version, replicas killed amid (Z4, S28, R1)', async () => {
  const users = MANY.slice(0, 6_000);
  await commit('carried', 1);
  await enter(users, 'carried');
  await commit('carried', 2);
  const victims = await Promise.all([start(), start()]);
  // In another order than that in which they are due, so that they meet everywhere.
  const shuffled = users.map((_, index) => users[(index * 611) % users.length]!);
  const readAll = async () => {
    for (let from = 0; from < users.length; from += 20)
      await Promise.all(
        shuffled.slice(from, from + 20).map((user) => fixture.read(user, 'carried')),
      );
  };
  const reading = readAll();
  for (const [index, victim] of victims.entries()) {
    await until(async () => (await continued('carried')) > 1_500 * (index + 1));
    victim.process.kill('SIGKILL');
    await victim.ended;
  }
  await start();
  await reading;
  // Those that are held are due in an hour.
  await until(
    async () =>
      (await count("delays WHERE due_at < now() + interval '50 minutes'", 'carried')) === 0,
  );
  const [all] = await fixture.dataSource.query(
    `SELECT count(*)::int AS events, count(DISTINCT user_id)::int AS users FROM flow_events
     WHERE flow = 'carried' AND origin = 'delay'`,
  );
  expect(all).toEqual({ events: users.length, users: users.length });
});

test('the time of the database counts where the clock of a process is wrong (Z4)', async () => {
  await commit('soon', 1);
  await commit('later', HOUR);
  await enter(['ann', 'bob'], 'soon');
  await enter(['ann', 'bob'], 'later');
  const due = await fixture.dataSource.query("SELECT due_at FROM delays WHERE flow = 'later'");
  // As if their time were over, for everybody who believes the row.
  await fixture.dataSource.query("UPDATE delays SET due_at = now() WHERE flow = 'later'");
  await Promise.all([start(24 * HOUR), start(-24 * HOUR)]);
  await until(async () => (await rowsOf('soon')) === 0);
  expect(await continued('soon')).toBe(2);
  const isSet = async () =>
    (await count("delays WHERE due_at > now() + interval '50 minutes'", 'later')) === 2;
  await until(isSet);
  expect(await continued('later')).toBe(0);
  expect(await fixture.dataSource.query("SELECT due_at FROM delays WHERE flow = 'later'")).toEqual(
    expect.arrayContaining(due),
  );
});
