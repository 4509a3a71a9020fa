import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { removeData, type RunningPostgres, sharePostgres, startPostgres } from './index.js';
import { isAlive } from './postmaster.js';

const BUILT = fileURLToPath(new URL('../dist/index.js', import.meta.url));

let folder: string;
let dataDir: string;
let server: RunningPostgres | undefined;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'local postgres '));
  await chmod(folder, 0o711);
  dataDir = path.join(folder, 'data');
});
afterEach(async () => {
  await server?.stop('immediate');
  server = undefined;
});
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));

const start = async (): Promise<RunningPostgres> =>
  (server = await startPostgres({ dataDir, durable: false }));

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(text).finally(() => client.end());
  return rows as unknown[];
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await pause(10);
}

describe('the local PostgreSQL', () => {
  test('creates its data at the first start and finds it at the next, with the same password', async () => {
    const first = await start();
    await query(first.url, 'CREATE TABLE kept AS SELECT 1 AS one');
    await first.stop();
    const second = await start();
    expect(new URL(second.url).password).toBe(new URL(first.url).password);
    expect(await query(second.url, 'SELECT * FROM kept')).toEqual([{ one: 1 }]);
  });

  test('lets nobody in without the password, and is reachable on this machine only', async () => {
    const { url, port } = await start();
    await expect(
      query(`postgres://postgres:guessed@127.0.0.1:${port}/postgres`, 'SELECT 1'),
    ).rejects.toThrow('password');
    expect(await query(url, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
  });

  test('says when it ends, however it ends, and starts again over what a kill left', async () => {
    const killed = await start();
    await killed.kill();
    await killed.exited;
    expect(isAlive(killed.pid)).toBe(false);
    const { url } = await start();
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  test('is not fooled by a process that got the number of the killed server', async () => {
    await (await start()).kill();
    const file = path.join(dataDir, 'postmaster.pid');
    const lines = (await readFile(file, 'utf8')).split('\n');
    await writeFile(file, [process.pid, ...lines.slice(1)].join('\n'));
    await expect(start()).resolves.toMatchObject({ pid: expect.any(Number) });
  });

  test('refuses to run twice on the same data, and to delete it meanwhile', async () => {
    await start();
    await expect(startPostgres({ dataDir, durable: false })).rejects.toThrow(
      /^PostgreSQL cannot be started: .* already uses .*data$/,
    );
    await expect(removeData(dataDir)).rejects.toThrow('already uses');
  });

  test('names a port that is in use', async () => {
    const { port } = await start();
    const other = path.join(folder, 'other');
    await expect(startPostgres({ dataDir: other, durable: false, port })).rejects.toThrow(
      `port ${port} is in use`,
    );
    await removeData(other);
  });

  test('says in one sentence what is wrong with data of another version', async () => {
    const old = path.join(folder, 'old');
    const { stop } = await startPostgres({ dataDir: old, durable: false });
    await stop();
    await writeFile(path.join(old, 'PG_VERSION'), '12\n');
    await expect(startPostgres({ dataDir: old, durable: false })).rejects.toThrow(
      /made by PostgreSQL 12/,
    );
  });

  test('stops when the process that started it is killed', async () => {
    const script = `import { startPostgres } from ${JSON.stringify(BUILT)};
      const { pid } = await startPostgres({ dataDir: process.argv[1], durable: false });
      console.log(pid); setInterval(() => {}, 1000);`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', script, dataDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [pid] = (await once(parent.stdout, 'data')).map(Number) as [number];
    expect(isAlive(pid)).toBe(true);
    parent.kill('SIGKILL');
    await until(() => !isAlive(pid));
  });

  test('waits for another process that takes long to start it', async () => {
    const options = { dataDir: path.join(folder, 'slow'), durable: false };
    await (await startPostgres(options)).stop();
    // It holds the data for two seconds, longer than three attempts take, and never listens.
    const other = spawn(process.execPath, ['-e', 'setTimeout(Object, 2000)', options.dataDir]);
    const pidFile = path.join(options.dataDir, 'postmaster.pid');
    await writeFile(pidFile, `${other.pid}\n${options.dataDir}\n0\n1\n`);
    const { url, stop } = await sharePostgres(options);
    expect(other.exitCode).toBe(0);
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await stop();
  });

  test('is shared by several, and goes on at the same address when who started it leaves', async () => {
    const options = { dataDir: path.join(folder, 'shared'), durable: false };
    const shares = await Promise.all([
      sharePostgres(options),
      sharePostgres(options),
      sharePostgres(options),
    ]);
    const [url] = shares.map((share) => share.url);
    expect(shares.map((share) => share.url)).toEqual([url, url, url]);
    for (const share of shares.slice(0, -1)) {
      await share.stop();
      await expect(eventually(() => query(url!, 'SELECT 1 AS one'))).resolves.toEqual([{ one: 1 }]);
    }
    await shares.at(-1)!.stop();
    await expect(query(url!, 'SELECT 1')).rejects.toThrow('ECONNREFUSED');
  });
});

async function eventually<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!/ECONNREFUSED|starting up|shutting down|terminated|reset/.test(String(error)))
        throw error;
      await pause(20);
    }
  }
}
