import { execFile, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { hasNginx, startNginx } from '@waymark/testing/nginx';
import { freePort } from '@waymark/testing/ports';
import { createTestDatabase, type TestDatabase } from '@waymark/testing/postgres';
import { call, type SpawnedService, spawnService } from '@waymark/testing/services';
import type { DataSource } from 'typeorm';

const WAYMARK = path.resolve('apps/waymark/bin/waymark.mjs');
const EXAMPLE = path.resolve('examples/flows/announcement.yaml');
/** Roles belong to the whole server, which other tests use too. */
const suffix = randomBytes(4).toString('hex');
const [OWNER, APP] = [`waymark_owner_${suffix}`, `waymark_app_${suffix}`];
const SECOND = `${APP}_2`;

let database: TestDatabase;
let administrator: DataSource;
const services: SpawnedService[] = [];
let [users, blocks] = ['', ''];

/** Passed apart from the URL, in which it would have to be encoded. */
const PASSWORD = `p@ss/w:rd?#%41'"\\ ü`;
const loginOf = (role: string) => ({
  DATABASE_URL: Object.assign(new URL(database.url), { username: role, password: '' }).href,
  PGPASSWORD: PASSWORD,
});
const here = (script: string, name: string): string =>
  script
    .replaceAll('waymark_owner', OWNER)
    .replaceAll('waymark_app', APP)
    .replace(/DATABASE waymark\b/g, `DATABASE ${name}`);
const waymark = async (role: string, ...args: string[]): Promise<string> =>
  (
    await promisify(execFile)(process.execPath, [WAYMARK, ...args], {
      env: { PATH: process.env['PATH'], ...loginOf(role) },
    })
  ).stdout;

beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
  administrator = await database.connect();
  const [{ name }] = (await administrator.query('SELECT current_database() AS name')) as [
    { name: string },
  ];
  const roles = here(await readFile('docs/deploy/roles.sql', 'utf8'), name);
  for (const role of [OWNER, APP]) expect(roles).toContain(`CREATE ROLE ${role} LOGIN`);
  await administrator.query(roles);
  await givePasswords();
  await waymark(OWNER, 'migrate', 'up');
});

/** As the container of docker-compose.yml does, where there is a psql. */
async function givePasswords(): Promise<void> {
  if (spawnSync('psql', ['--version']).status !== 0) {
    for (const role of [OWNER, APP]) await changePassword(role, PASSWORD);
    return;
  }
  const script = here(await readFile('docs/deploy/compose.passwords.sql', 'utf8'), '');
  const options = ['-v', 'ON_ERROR_STOP=1', '--no-psqlrc', database.url];
  const { status, stderr } = spawnSync('psql', options, {
    input: script,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], POSTGRES_PASSWORD: PASSWORD, WAYMARK_PASSWORD: PASSWORD },
  });
  expect([status, stderr]).toEqual([0, '']);
}
const changePassword = async (role: string, password: string): Promise<void> => {
  await administrator.query(`ALTER ROLE ${role} PASSWORD '${password.replaceAll("'", "''")}'`);
};

afterAll(async () => {
  for (const service of services) await service.stop();
  for (const role of [OWNER, APP]) await administrator.query(`DROP OWNED BY ${role} CASCADE`);
  await administrator.query(`DROP ROLE IF EXISTS ${SECOND}`);
  await database.drop();
});

test('with the roles of docs/deploy one migrates, and the other runs everything else and changes no table', async () => {
  users = (await waymark(APP, 'key', 'create', '--kind', 'users', '--env', 'production')).trim();
  blocks = (await waymark(APP, 'key', 'create', '--kind', 'blocks', '--env', 'production')).trim();
  await waymark(APP, 'flow', 'apply', EXAMPLE, '--commit', '-m', 'first');
  for (const name of ['users-api', 'blocks-api'] as const)
    services.push(await spawnService(name, { ...loginOf(APP), NODE_ENV: 'production' }));
  const [usersApi, blocksApi] = services as [SpawnedService, SpawnedService];
  const body = { identifier: 'ada', properties: { plan: 'pro' }, groups: [{ identifier: 'acme' }] };
  expect((await call(usersApi, 'POST /identify', { key: users, body })).status).toBe(204);
  const flow = '/v2/flow/announcement?userIdentifier=ada&version=latest';
  expect((await call(blocksApi, `GET ${flow}`, { key: blocks })).body).toMatchObject({
    sid: 'announcement',
    version: 1,
  });
  expect(
    await waymark(APP, 'user', 'list', '--flow', 'announcement', '--env', 'production'),
  ).toContain('ada');
  await waymark(
    APP,
    'reset',
    'announcement',
    '--version',
    '1',
    '--all',
    '--yes',
    '--env',
    'production',
  );
  await waymark(APP, 'endpoint', 'list', '--env', 'production');
  await waymark(APP, 'events', 'prune', '--before', '2000-01-01', '--yes', '--env', 'production');
  await waymark(APP, 'user', 'delete', 'ada', '--yes', '--env', 'production');
  await expect(waymark(APP, 'migrate', 'down', '--yes')).rejects.toThrow(
    /waymark: this role may not make or change tables[^\n]*\n$/,
  );
  const app = await database.connect();
  await app.query(`SET ROLE ${APP}`);
  await expect(app.query('CREATE TABLE mine (id int)')).rejects.toThrow('permission denied');
  // Docs are off in production.
  expect((await call(blocksApi, 'GET /docs/json')).status).toBe(404);
});

(hasNginx ? test : test.skip)(
  'step 5 of the first deployment tells success from failure, by the port that nginx listens on (W2)',
  async () => {
    const [usersApi, blocksApi] = services as [SpawnedService, SpawnedService];
    const port = await freePort();
    const nginx = await startNginx('nginx.conf', (shipped) =>
      shipped
        .replace(/^ *server 127\.0\.0\.1:70[78]1? .*$/gm, '')
        .replaceAll('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
        .replace('upstream users {', `$& server ${new URL(usersApi.url).host} max_fails=0;`)
        .replace('upstream blocks {', `$& server ${new URL(blocksApi.url).host} max_fails=0;`),
    );
    try {
      const lead = (host: string) => `connect-to = "${host}.example.com:443:127.0.0.1:${port}"`;
      const trust = `cacert = "${nginx.folder}/waymark.pem"`;
      await writeFile(
        path.join(nginx.folder, '.curlrc'),
        [lead('users'), lead('blocks'), trust].join('\n'),
      );
      const env = {
        PATH: process.env['PATH'],
        CURL_HOME: nginx.folder,
        USERS_KEY: users,
        BLOCKS_KEY: blocks,
      };
      const sh = (script: string) => spawnSync('sh', ['-c', script], { env, encoding: 'utf8' });
      const guide = await readFile('docs/deploy.md', 'utf8');
      const [, check] = /\*\*5\. The proxy[^]*?```sh\n([^]*?)```/.exec(guide)!;
      const step = check!.replaceAll('onboarding', 'announcement');
      const verdicts = () => sh(step).stdout.match(/\b(ok|FAILED)$/gm);
      expect(verdicts()).toEqual(['ok', 'ok', 'ok']);

      const users_ = 'https://users.example.com/identify';
      const refused = (ask: string) => {
        const { stdout } = sh(
          `curl -s -w '\n%{http_code} %{content_type} %header{x-request-id}' ${ask}`,
        );
        const [body, about] = stdout.split('\n') as [string, string];
        const [status, type, , id] = about.split(' ');
        const { requestId, ...envelope } = JSON.parse(body) as Record<string, string>;
        expect([type, requestId]).toEqual(['application/json;', id]);
        return [Number(status), envelope['code']];
      };
      const asked = "-H 'x-request-id: from-curl'";
      expect(refused(`--interface 127.0.0.2 ${users_}`)).toEqual([403, 'unauthorized_error']);
      expect(refused('https://blocks.example.com/metrics')).toEqual([404, 'not_found_error']);
      expect(refused(`${asked} -H 'content-length: 9999999' -d x ${users_}`)).toEqual([
        413,
        'payload_too_large_error',
      ]);
      expect(refused(`-X 'BAD METHOD' ${users_}`)).toEqual([400, 'invalid_request_error']);
      await usersApi.stop();
      expect(refused(users_)).toEqual([503, 'service_unavailable_error']);
      expect(verdicts()).toEqual(['ok', 'FAILED', 'ok']);
    } finally {
      await nginx.stop();
    }
  },
);

test('the password of the services is changed by a second role, without one answer that is not a success', async () => {
  const guide = await readFile('docs/run.md', 'utf8');
  const [statement] = /CREATE ROLE waymark_app_2 [^']+/.exec(guide)!;
  await administrator.query(statement.replaceAll('waymark_app', APP).replace(`${APP}_2`, SECOND));
  await changePassword(SECOND, PASSWORD);
  const key = (await waymark(APP, 'key', 'create', '--kind', 'users')).trim();
  const replicas = [await spawnService('users-api', loginOf(APP))];
  const statuses = new Set<number>();
  let running = true;
  const load = Array.from({ length: 4 }, async (_, worker) => {
    while (running) {
      const answer = await call(replicas.at(-1)!, 'POST /identify', {
        key,
        body: { identifier: `user-${worker}` },
      });
      statuses.add(answer.status);
    }
  });
  replicas.push(await spawnService('users-api', loginOf(SECOND)));
  await call(replicas[1]!, 'POST /identify', { key, body: { identifier: 'anna' } });
  await replicas[0]!.stop();
  await changePassword(APP, 'changed');
  await waymark(SECOND, 'flow', 'list');
  await expect(waymark(APP, 'flow', 'list')).rejects.toThrow('the password is refused');
  await changePassword(APP, PASSWORD);
  running = false;
  await Promise.all(load);
  await replicas[1]!.stop();
  expect([...statuses]).toEqual([204]);
});
