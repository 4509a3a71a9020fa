import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createDataSource } from '@waymark/domain/schema';
import { createKey } from '@waymark/domain/access';
import { startThrowawayPostgres, type ThrowawayPostgres } from '@waymark/testing/postgres';
import { call, spawnService, until, type SpawnedService } from '@waymark/testing/services';

/** More rounds: `node tools/test.mjs apps/users-api/e2e/crash --globals '{"crashRounds":50}'`. */
const ROUNDS = (globalThis as { crashRounds?: number }).crashRounds ?? 3;
const WORKERS = 6;

const CONNECTION = {
  poolSize: 1,
  applicationName: 'test',
  statementTimeoutMs: 0,
  connectTimeoutMs: 0,
  answerTimeoutMs: 0,
};

let postgres: ThrowawayPostgres;
let key: string;
const replicas: SpawnedService[] = [];

const startReplica = () => spawnService('users-api', { DATABASE_URL: postgres.url });

beforeAll(async () => {
  postgres = await startThrowawayPostgres();
  const dataSource = await createDataSource({ url: postgres.url, ...CONNECTION }).initialize();
  key = (await createKey(dataSource, { environment: 'development', kind: 'users' }, { by: 'test' }))
    .key;
  await dataSource.destroy();
  replicas.push(await startReplica(), await startReplica());
});
afterAll(async () => {
  for (const replica of replicas) await replica.stop();
  await postgres.remove();
});

/** Writes without end to one replica, repeating what was not acknowledged, and notes what was. */
class Load {
  /** Numbers of the writes that were answered with 204. */
  readonly acknowledged: number[] = [];
  /** How the writes ended that were not. */
  readonly failures = new Set<string>();
  private isRunning = true;
  private next = 0;
  private readonly workers: Promise<void>[];

  constructor(
    private readonly name: string,
    private readonly target: () => SpawnedService,
  ) {
    this.workers = Array.from({ length: WORKERS }, () => this.work());
  }

  /** Resolves after that many more acknowledgements. */
  async proceed(count: number): Promise<void> {
    const goal = this.acknowledged.length + count;
    await until(() => Promise.resolve(this.acknowledged.length >= goal));
  }

  async stop(): Promise<void> {
    this.isRunning = false;
    await Promise.all(this.workers);
  }

  private async work(): Promise<void> {
    while (this.isRunning) {
      const number = this.next++;
      while (this.isRunning && !(await this.write(number)));
    }
  }

  /** A user of its own and a key in one that all share, with a group, all in one commit. */
  private async write(number: number): Promise<boolean> {
    const user = `${this.name}-${number}`;
    const groups = [{ identifier: user, properties: { number } }];
    const body = [
      { identifier: user, properties: { number }, groups },
      { identifier: this.name, properties: { [`k${number}`]: number } },
    ];
    const status = await call(this.target(), 'POST /identify/batch', { key, body }).then(
      (answer) => answer.status,
      () => 'no answer',
    );
    if (status === 200) this.acknowledged.push(number);
    else this.failures.add(String(status));
    return status === 200;
  }
}

/** Every acknowledged write is there, and no write is there in part. */
async function expectAllThere(load: Load, name: string): Promise<void> {
  const dataSource = await createDataSource({ url: postgres.url, ...CONNECTION }).initialize();
  const rows = (await dataSource.query(
    `SELECT u.identifier, u.properties, g.properties AS "group", m.user_id IS NOT NULL AS member
       FROM users u LEFT JOIN groups g ON g.identifier = u.identifier
       LEFT JOIN memberships m ON m.user_id = u.user_id AND m.group_id = g.group_id WHERE u.identifier LIKE $1`,
    [`${name}-%`],
  )) as { identifier: string; properties: { number: number }; group: unknown; member: boolean }[];
  const [{ properties: shared }] = await dataSource.query(
    'SELECT properties FROM users WHERE identifier = $1',
    [name],
  );
  await dataSource.destroy();
  const numbers = new Set(rows.map(({ properties }) => properties.number));
  expect(load.acknowledged.filter((number) => !numbers.has(number))).toEqual([]);
  for (const { identifier, properties, group, member } of rows) {
    expect([identifier, group, member]).toEqual([identifier, properties, true]);
    expect(shared).toHaveProperty(`k${properties.number}`);
  }
  expect(Object.keys(shared as object)).toHaveLength(rows.length);
}

describe('every acknowledged write is there afterwards', () => {
  test('when a replica is killed under load, and the other one answers all the while (R1)', async () => {
    const [killed, spared] = [
      new Load('killed', () => replicas[0]!),
      new Load('spared', () => replicas[1]!),
    ];
    for (let round = 0; round < ROUNDS; round++) {
      await killed.proceed(100);
      replicas[0]!.process.kill('SIGKILL');
      await replicas[0]!.ended;
      await spared.proceed(20);
      replicas[0] = await startReplica();
    }
    await killed.proceed(20);
    await Promise.all([killed.stop(), spared.stop()]);
    expect([...killed.failures]).toEqual(['no answer']);
    expect([...spared.failures]).toEqual([]);
    await expectAllThere(killed, 'killed');
    await expectAllThere(spared, 'spared');
  });

  test('when PostgreSQL crashes under load and comes back, with the same replicas (R1, R3)', async () => {
    const before = replicas.map(({ process }) => process.pid);
    const loads = replicas.map((replica, index) => new Load(`crashed${index}`, () => replica));
    for (let round = 0; round < ROUNDS; round++) {
      await Promise.all(loads.map((load) => load.proceed(60)));
      await (round % 2 ? postgres.kill() : postgres.stop('immediate'));
      await postgres.start();
    }
    await Promise.all(loads.map((load) => load.proceed(20)));
    await Promise.all(loads.map((load) => load.stop()));
    expect(replicas.map(({ process }) => process.exitCode ?? process.pid)).toEqual(before);
    for (const [index, load] of loads.entries()) {
      expect([...load.failures]).toEqual(['503']);
      await expectAllThere(load, `crashed${index}`);
    }
  });
});
