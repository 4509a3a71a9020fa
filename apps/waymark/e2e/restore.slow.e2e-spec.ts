import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, test } from '@jest/globals';
import { type PublicEvent } from '@waymark/domain/events';
import { addEndpoint, listEndpoints } from '@waymark/domain/outbound';
import { createDataSource } from '@waymark/domain/schema';
import { card, defineFlow } from '@waymark/testing/builders';
import {
  startThrowawayPostgres,
  type TestDatabase,
  type ThrowawayPostgres,
} from '@waymark/testing/postgres';
import {
  Receiver,
  runServiceToEnd,
  spawnService,
  type SpawnedService,
  until,
} from '@waymark/testing/services';
import { Fixture } from '@waymark/testing/fixture';
import { runWaymark } from './run-waymark.js';

const run = promisify(execFile);
const USERS = ['ada', 'bob', 'cid'];

/** npm's PostgreSQL cannot dump, so that of Debian is tried: server and programs of one release. */
const INSTALLED = '/usr/lib/postgresql';
const native = (existsSync(INSTALLED) ? readdirSync(INSTALLED) : [])
  .map((release) => path.join(INSTALLED, release))
  .findLast((folder) =>
    ['postgres', 'initdb', 'pg_dump', 'pg_restore'].every((name) =>
      existsSync(path.join(folder, 'bin', name)),
    ),
  );
const testWithDump = native === undefined ? test.skip : test;
if (native === undefined)
  process.stderr.write(
    'a logical restore is not tested, it needs pg_dump (apt-get install postgresql)\n',
  );

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function startServer(empty: boolean): Promise<ThrowawayPostgres> {
  const server = await startThrowawayPostgres({ native: native!, durable: false, empty });
  closing.push(() => server.remove());
  return server;
}

async function openFixture(url: string): Promise<Fixture> {
  const timeouts = { statementTimeoutMs: 0, connectTimeoutMs: 5_000, answerTimeoutMs: 0 };
  const dataSource = await createDataSource({
    url,
    poolSize: 5,
    applicationName: 'test',
    ...timeouts,
  }).initialize();
  const database: TestDatabase = {
    url,
    name: 'postgres',
    connect: () => Promise.resolve(dataSource),
    drop: () => dataSource.destroy(),
  };
  const fixture = await Fixture.open({ database });
  await fixture.catalogue.refresh();
  closing.push(() => fixture.close());
  return fixture;
}

const settingsFor = (url: string) => ({
  DATABASE_URL: url,
  WEBHOOK_PRIVATE_ADDRESSES: 'on',
  LOG_LEVEL: 'info',
});
async function serve(url: string): Promise<SpawnedService> {
  const service = await spawnService('blocks-api', settingsFor(url));
  closing.push(() => service.stop());
  return service;
}

/** Exports on from the cursor file. */
async function exportOn(url: string, folder: string): Promise<PublicEvent[]> {
  const args = ['events', 'export', '--cursor-file', 'cursor'];
  const { status, stdout, stderr } = await runWaymark(args, {
    env: { DATABASE_URL: url },
    cwd: folder,
  });
  expect([status, stderr]).toEqual([0, '']);
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as PublicEvent);
}

const backlogOf = async ({ dataSource, environmentId }: Fixture) =>
  (await listEndpoints(dataSource.manager, environmentId))[0]!.backlog;
/** As a cluster has done that has been in use. */
const countTransactions = (fixture: Fixture, many: number) =>
  fixture.dataSource.query(
    `DO $$ BEGIN FOR n IN 1..${many} LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$`,
  );

async function dumpAndRestore(from: string, to: string, folder: string): Promise<void> {
  const dump = path.join(folder, 'waymark.dump');
  await run(path.join(native!, 'bin/pg_dump'), ['--format=custom', '--file', dump, from]);
  await run(path.join(native!, 'bin/pg_restore'), ['--no-owner', '--dbname', to, dump]);
}

testWithDump(
  'after a logical restore into a fresh cluster services wait for migrate up, and followers go on (E2)',
  async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'waymark-restore-'));
    closing.push(() => rm(folder, { recursive: true, force: true }));
    const receiver = await Receiver.open();
    closing.push(() => Promise.resolve(receiver.close()));

    const old = await startServer(false);
    const before = await openFixture(old.url);
    await countTransactions(before, 5_000);
    await before.commit(
      defineFlow({ flow: 'tour', blocks: { hello: card({ complete: 'hello' }) } }),
    );
    await before.identifyAll(USERS, () => ({}));
    const wanted = { name: 'crm', url: receiver.url, from: 'beginning' } as const;
    await addEndpoint(before.dataSource, before.environmentId, wanted, { by: 'test' });
    const service = await serve(old.url);
    for (const user of USERS) await before.read(user, 'tour');
    await until(async () => (await backlogOf(before)) === 0);
    const exported = await exportOn(old.url, folder);
    await service.stop();
    // Recorded, and not delivered yet.
    for (const user of USERS) await before.take(user, 'tour', 'latest', 'hello', ['complete']);

    const fresh = await startServer(true);
    await dumpAndRestore(old.url, fresh.url, folder);
    const refused = await runServiceToEnd('blocks-api', settingsFor(fresh.url));
    expect(refused.code).not.toBe(0);
    expect(refused.output).toContain('waymark migrate up');
    expect((await runWaymark(['migrate', 'up'], { env: { DATABASE_URL: fresh.url } })).status).toBe(
      0,
    );

    await serve(fresh.url);
    const after = await openFixture(fresh.url);
    for (const user of USERS) await after.take(user, 'tour', 'latest', 'hello', ['complete']);
    await until(async () => (await backlogOf(after)) === 0);
    exported.push(...(await exportOn(fresh.url, folder)));

    const ids = (events: readonly { id?: unknown }[]) => events.map(({ id }) => id);
    // Two events of the start, and two of each time that the block led back to itself.
    expect(exported).toHaveLength(USERS.length * 6);
    expect(new Set(ids(exported)).size).toBe(exported.length);
    const told = receiver.documents.map(({ data }) => data);
    expect(ids(told).sort()).toEqual(ids(exported).sort());
    for (const user of USERS)
      expect(ids(told.filter((event) => event['user'] === user))).toEqual(
        ids(exported.filter((event) => event.user === user)),
      );
  },
);
