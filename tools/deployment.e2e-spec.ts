import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@waymark/testing/postgres';
import { call, type SpawnedService, spawnService } from '@waymark/testing/services';
import type { DataSource } from 'typeorm';

const WAYMARK = path.resolve('apps/waymark/bin/waymark.mjs');
const EXAMPLE = path.resolve('examples/flows/announcement.yaml');
/** Roles belong to the whole server, which other tests use too. */
const suffix = randomBytes(4).toString('hex');
const [OWNER, APP] = [`waymark_owner_${suffix}`, `waymark_app_${suffix}`];

let database: TestDatabase;
let administrator: DataSource;
const services: SpawnedService[] = [];

const urlOf = (role: string): string => Object.assign(new URL(database.url), { username: role, password: 'secret' }).href;
const waymark = async (role: string, ...args: string[]): Promise<string> =>
  (
    await promisify(execFile)(process.execPath, [WAYMARK, ...args], {
      env: { PATH: process.env['PATH'], DATABASE_URL: urlOf(role) },
    })
  ).stdout;

beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
  administrator = await database.connect();
  const [{ name }] = (await administrator.query('SELECT current_database() AS name')) as [{ name: string }];
  const script = await readFile('docs/deploy/roles.sql', 'utf8');
  const here = script
    .replaceAll('waymark_owner', OWNER)
    .replaceAll('waymark_app', APP)
    .replace(/DATABASE waymark\b/g, `DATABASE ${name}`);
  for (const role of [OWNER, APP]) expect(here).toContain(`CREATE ROLE ${role} LOGIN`);
  await administrator.query(here);
  for (const role of [OWNER, APP]) await administrator.query(`ALTER ROLE ${role} PASSWORD 'secret'`);
});
afterAll(async () => {
  for (const service of services) await service.stop();
  for (const role of [OWNER, APP]) await administrator.query(`DROP OWNED BY ${role} CASCADE`);
  await database.drop();
});

test('with the roles of docs/deploy one migrates, and the other runs everything else and changes no table', async () => {
  await waymark(OWNER, 'migrate', 'up');
  const users = (await waymark(APP, 'key', 'create', '--kind', 'users', '--env', 'production')).trim();
  const blocks = (await waymark(APP, 'key', 'create', '--kind', 'blocks', '--env', 'production')).trim();
  await waymark(APP, 'flow', 'apply', EXAMPLE, '--commit', '-m', 'first');
  for (const name of ['users-api', 'blocks-api'] as const)
    services.push(await spawnService(name, { DATABASE_URL: urlOf(APP), NODE_ENV: 'production' }));
  const [usersApi, blocksApi] = services as [SpawnedService, SpawnedService];
  const body = { identifier: 'ada', properties: { plan: 'pro' }, groups: [{ identifier: 'acme' }] };
  expect((await call(usersApi, 'POST /identify', { key: users, body })).status).toBe(204);
  const flow = '/v2/flow/announcement?userIdentifier=ada&version=latest';
  expect((await call(blocksApi, `GET ${flow}`, { key: blocks })).body).toMatchObject({ sid: 'announcement', version: 1 });
  expect(await waymark(APP, 'user', 'list', '--flow', 'announcement', '--env', 'production')).toContain('ada');
  await waymark(APP, 'reset', 'announcement', '--version', '1', '--all', '--yes', '--env', 'production');
  await waymark(APP, 'endpoint', 'list', '--env', 'production');
  await waymark(APP, 'events', 'prune', '--before', '2000-01-01', '--yes', '--env', 'production');
  await waymark(APP, 'user', 'delete', 'ada', '--yes', '--env', 'production');
  await expect(waymark(APP, 'migrate', 'down', '--yes')).rejects.toThrow(/must be owner|permission denied/);
  const app = await database.connect();
  await app.query(`SET ROLE ${APP}`);
  await expect(app.query('CREATE TABLE mine (id int)')).rejects.toThrow('permission denied');
  // Docs are off in production.
  expect((await call(blocksApi, 'GET /docs/json')).status).toBe(404);
});
