import { chmod, mkdtemp, readFile, realpath, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '@waymark/testing/services';
import type { LocalStack } from '../src/config/local-file.js';
import {
  ROOT,
  type RunningStack,
  runWaymark,
  startStack,
  startStackByScript,
} from './run-waymark.js';

let folder: string;
let stack: RunningStack;

beforeAll(async () => {
  folder = await makeFolder();
  stack = await startStack(folder);
});
afterAll(async () => {
  stack.child.kill('SIGTERM');
  await stack.ended;
  await rm(folder, { recursive: true, force: true });
});

async function makeFolder(): Promise<string> {
  const made = await realpath(await mkdtemp(path.join(tmpdir(), 'waymark-up-')));
  // PostgreSQL may run as another user, who has to pass through.
  await chmod(made, 0o711);
  return made;
}

const readLocal = async () =>
  JSON.parse(await readFile(path.join(folder, '.waymark/local.json'), 'utf8')) as LocalStack;

/** Process ids of both services, of the studio and of PostgreSQL. */
async function pidsOf({ output }: RunningStack, home = folder): Promise<number[]> {
  const services = [...output().matchAll(/"pid":(\d+)[^\n]*"msg":"ready"/g)].map(([, pid]) =>
    Number(pid),
  );
  const [postmaster] = (
    await readFile(path.join(home, '.waymark/postgres/postmaster.pid'), 'utf8')
  ).split('\n');
  return [...services, Number(postmaster)];
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Does what a shell would do with a printed curl line. */
async function paste(line: string): Promise<{ status: number; body: unknown }> {
  const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare!);
  const after = (flag: string) =>
    words.flatMap((word, index) => (words[index - 1] === flag ? [word] : []));
  const headers = after('-H').map(
    (header) => header.split(/: (.*)/s).slice(0, 2) as [string, string],
  );
  const [body] = after('-d');
  const method = after('-X')[0] ?? (body === undefined ? 'GET' : 'POST');
  const answer = await fetch(
    words.find((word) => word.startsWith('http'))!,
    { method, headers, body },
  );
  const text = await answer.text();
  return { status: answer.status, body: text ? (JSON.parse(text) as unknown) : undefined };
}

const identify = ({ usersUrl, usersApiKey }: LocalStack, identifier: string) =>
  fetch(`${usersUrl}/identify`, {
    method: 'POST',
    headers: { 'x-api-key': usersApiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ identifier, properties: {} }),
  });

describe('waymark up', () => {
  test('prints curl lines that work as pasted: identify, read, dismiss, reset, and the block is active again (S10)', async () => {
    const lines = stack.output().match(/^curl .*$/gm) ?? [];
    const answers = [];
    for (const line of lines) answers.push(await paste(line));
    expect(answers).toMatchObject([
      { status: 204 },
      {
        status: 200,
        body: {
          kind: 'flow',
          sid: 'onboarding',
          state: { started: true },
          blocks: expect.any(Array),
        },
      },
      { status: 204 },
      { status: 200, body: { sid: 'onboarding.welcome', state: { active: false, exited: true } } },
      { status: 204 },
      { status: 200, body: { sid: 'onboarding.welcome', state: { active: true, exited: false } } },
    ]);
  });

  test('answers the webhook of its demo flow and shows it, so that nothing of the demo fails (S19)', async () => {
    const { usersUrl, usersApiKey, blocksUrl, blocksApiKey } = await readLocal();
    const admin = { identifier: 'grace', properties: { plan: 'pro', roles: ['Admin'] } };
    const ask = (url: string, key: string, body?: object) =>
      fetch(url, {
        method: body ? 'POST' : 'GET',
        headers: { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) },
        body: body && JSON.stringify(body),
      });
    await ask(`${usersUrl}/identify`, usersApiKey, admin);
    await ask(`${blocksUrl}/v2/flow/onboarding?userIdentifier=grace&version=latest`, blocksApiKey);
    const query = 'userIdentifier=grace&version=latest&transitions=complete';
    await fetch(`${blocksUrl}/v2/block/onboarding.welcome/transition?${query}`, {
      method: 'POST',
      headers: { 'x-api-key': blocksApiKey },
    });
    await until(() =>
      /POST \/onboarding \{"flow":"onboarding","user":"grace"\}/.test(stack.output()),
    );
    const listed = () => runWaymark(['--json', 'effects', 'list'], { cwd: folder });
    await until(async () => ((await listed()).json() as { effects: [] }).effects.length === 0);
  });

  test('writes .waymark/local.json for the owner only, and prints the same keys', async () => {
    const local = await readLocal();
    expect(local).toEqual({
      usersUrl: expect.stringMatching(/^http:/),
      blocksUrl: expect.stringMatching(/^http:/),
      databaseUrl: expect.stringMatching(/^postgres:/),
      environment: 'development',
      usersApiKey: expect.stringMatching(/^users-/),
      blocksApiKey: expect.stringMatching(/^blocks-/),
    });
    expect((await stat(path.join(folder, '.waymark/local.json'))).mode & 0o777).toBe(0o600);
    for (const text of [local.usersUrl, local.blocksUrl, local.usersApiKey, local.blocksApiKey])
      expect(stack.output()).toContain(text);
  });

  test('prints an address of the studio that lets in whoever opens it, who can write flows there, and nobody else (T1, T2)', async () => {
    const [, url, token] = /^studio +(http\S+)\/#token=(\S+)$/m.exec(stack.output()) ?? [];
    const login = (text: string | undefined) =>
      fetch(`${url}/api/login`, {
        method: 'POST',
        headers: { origin: url!, 'content-type': 'application/json' },
        body: JSON.stringify({ token: text }),
      });
    expect(await (await fetch(`${url}/development/flows`)).text()).toContain(
      '<title>Waymark studio</title>',
    );
    expect((await login(`${token}x`)).status).toBe(401);
    const [cookie] = (await login(token)).headers.getSetCookie();
    const flows = await fetch(`${url}/api/development/flows`, { headers: { cookie: cookie! } });
    expect(await flows.json()).toMatchObject({
      flows: expect.arrayContaining([expect.objectContaining({ flow: 'onboarding' })]),
    });
    const checked = await fetch(`${url}/api/development/check`, {
      method: 'POST',
      headers: { cookie: cookie!, origin: url!, 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'flow: tour\nstart: hello\nblocks: { hello: { type: card } }' }),
    });
    expect(await checked.text()).toContain('"flow":"tour"');
  });

  test('serves the other commands without DATABASE_URL, from folders below as well', async () => {
    const run = await runWaymark(['env', 'list', '--json'], { cwd: path.join(folder, '.waymark') });
    expect(run.json()).toMatchObject({
      environments: [{ name: 'development' }, { name: 'production' }],
    });
  });

  test('leaves a stack that runs already unharmed', async () => {
    const again = await runWaymark(['up', '--reset', '--yes'], {
      cwd: folder,
      env: { USERS_PORT: '0', BLOCKS_PORT: '0' },
    });
    expect(again).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringContaining('runs already'),
    });
    expect((await fetch(`${(await readLocal()).usersUrl}/health/ready`)).status).toBe(200);
  });

  test('names the variable of a busy port, and starts nothing', async () => {
    const elsewhere = await mkdtemp(path.join(tmpdir(), 'waymark-busy-'));
    const { port } = new URL((await readLocal()).blocksUrl);
    const busy = await runWaymark(['up'], {
      cwd: elsewhere,
      env: { USERS_PORT: '0', BLOCKS_PORT: port },
    });
    expect(busy).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(`port ${port} .*BLOCKS_PORT`),
    });
    await rm(elsewhere, { recursive: true });
  });

  test('has its services refuse a key soon after the command revoked it', async () => {
    const local = await readLocal();
    const made = await runWaymark(['key', 'create', '--kind', 'users', '--json'], { cwd: folder });
    const { id, key } = made.json() as { id: string; key: string };
    const answers = { ...local, usersApiKey: key };
    expect((await identify(answers, 'with a new key')).status).toBe(204);
    await runWaymark(['key', 'revoke', id], { cwd: folder });
    await until(async () => (await identify(answers, 'with a revoked key')).status === 401);
    expect((await identify(local, 'with the other key')).status).toBe(204);
  });

  test('leaves nothing running after Ctrl-C, and ends with 0', async () => {
    const pids = await pidsOf(stack);
    expect(pids.map(isAlive)).toEqual([true, true, true, true]);
    stack.child.kill('SIGINT');
    expect((await stack.ended).status).toBe(0);
    expect(pids.map(isAlive)).toEqual([false, false, false, false]);
    const run = await runWaymark(['env', 'list'], { cwd: folder });
    expect(run).toMatchObject({ status: 3, stderr: expect.stringContaining('npm start') });
  });

  test("finds yesterday's data and keys at the second start, has docs in any case, and dies with a parent that is killed", async () => {
    const before = await readLocal();
    stack = await startStack(folder, [], { NODE_ENV: 'production' });
    const { usersUrl, usersApiKey, blocksApiKey } = await readLocal();
    expect((await fetch(`${usersUrl}/docs`)).status).toBe(200);
    expect({ usersApiKey, blocksApiKey }).toEqual({
      usersApiKey: before.usersApiKey,
      blocksApiKey: before.blocksApiKey,
    });
    expect(await runWaymark(['user', 'show', 'with the other key'], { cwd: folder })).toMatchObject(
      { status: 0 },
    );
    const pids = await pidsOf(stack);
    stack.child.kill('SIGKILL');
    await until(() => !pids.some(isAlive));
  });

  test('starts over with --reset, after asking, with keys of the environment asked for; SIGTERM stops it as Ctrl-C does', async () => {
    const refused = await runWaymark(['up', '--reset'], {
      cwd: folder,
      env: { USERS_PORT: '0', BLOCKS_PORT: '0', STUDIO_PORT: '0' },
    });
    expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining('--yes') });
    await rm(path.join(folder, '.waymark/local.json'));
    stack = await startStack(folder, ['--reset', '--yes', '--no-demo', '--env', 'production']);
    const users = await runWaymark(['user', 'list', '--json'], { cwd: folder });
    expect(users.json()).toEqual({ users: [], environment: 'development' });
    expect((await readLocal()).environment).toBe('production');
    expect((await identify(await readLocal(), 'with a key made anew')).status).toBe(204);
    expect(
      await runWaymark(['user', 'show', 'with a key made anew', '--env', 'production'], {
        cwd: folder,
      }),
    ).toMatchObject({
      status: 0,
    });
    const pids = await pidsOf(stack);
    stack.child.kill('SIGTERM');
    expect((await stack.ended).status).toBe(0);
    expect(pids.map(isAlive)).toEqual([false, false, false, false]);
  });

  test('started by `npm start`, whose shell is all that npm tells to stop, stops on SIGTERM', async () => {
    const elsewhere = await makeFolder();
    await symlink(path.join(ROOT, 'apps'), path.join(elsewhere, 'apps'));
    const started = await startStackByScript(elsewhere);
    const pids = await pidsOf(started, elsewhere);
    started.child.kill('SIGTERM');
    await until(() => !pids.some(isAlive));
    await rm(elsewhere, { recursive: true });
  });
});
