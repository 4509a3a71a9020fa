import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

const SERVE = fileURLToPath(new URL('./serve.mjs', import.meta.url));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'waymark-serve-'));
  // PostgreSQL may run as another user, who has to pass through.
  await chmod(folder, 0o711);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function serve(name: string) {
  const env = { ...process.env, DATABASE_URL: undefined, NODE_OPTIONS: undefined, PORT: '0' };
  const child = spawn(process.execPath, [SERVE, name], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  return { child, ended, find: (pattern: RegExp) => pattern.exec(output)?.[1] };
}

async function get<T>(find: () => T | undefined): Promise<T> {
  for (let found = find(); ; found = find()) {
    if (found !== undefined) return found;
    await pause(20);
  }
}

const isReady = async (url: string) => (await fetch(`${url}/health/ready`)).ok;

test('nx serve brings the database along, for both services at once, and Ctrl-C leaves nothing', async () => {
  const services = [serve('users-api'), serve('blocks-api')];
  const urls = await Promise.all(
    services.map(({ find }) => get(() => find(/"url":"([^"]+)"[^\n]*"msg":"ready"/))),
  );
  expect(await Promise.all(urls.map(isReady))).toEqual([true, true]);
  const users = services[0]!.find(/with the key (users-\S+)/);
  const local = JSON.parse(await readFile(path.join(folder, '.waymark/local.json'), 'utf8')) as {
    usersApiKey: string;
  };
  expect(users).toBe(local.usersApiKey);
  for (const { child } of services) child.kill('SIGINT');
  expect(await Promise.all(services.map(({ ended }) => ended))).toEqual([0, 0]);
  await expect(isReady(urls[0]!)).rejects.toThrow('fetch failed');
  await expect(readFile(path.join(folder, '.waymark/postgres/postmaster.pid'))).rejects.toThrow(
    'ENOENT',
  );
});
