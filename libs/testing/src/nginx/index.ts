import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../ports/index.js';
import { call, untilSoon } from '../services/index.js';

const SHIPPED = 'docs/deploy';

/**
 * Connections that each worker of the proxy keeps open to a service, for a minute. It starts one
 * for each core.
 */
export const KEPT_BY_PROXY = 32 * availableParallelism();

export const hasNginx = spawnSync('nginx', ['-v']).status === 0;

export interface StartedProxy {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Starts nginx as docker-compose.yml does, in front of one service; only addresses and ports
 * differ.
 */
export async function startProxy(serviceUrl: string): Promise<StartedProxy> {
  const [port, unused] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const nginx = await startNginx('nginx.local.conf', (shipped) =>
    shipped
      .replace(/server (users-api:7070|blocks-api:7071) /g, `server ${new URL(serviceUrl).host} `)
      .replace('listen 7070;', `listen 127.0.0.1:${unused};`)
      .replace('listen 7071;', `listen 127.0.0.1:${port};`),
  );
  await untilSoon('the service answers behind nginx', async () => {
    return (await call({ url }, 'GET /health').catch(() => null))?.status === 200;
  });
  return { url, stop: () => nginx.stop() };
}

export interface StartedNginx {
  /**
   * Where it runs, with the shipped configuration and a certificate for every host of example.com.
   */
  readonly folder: string;
  stop(): Promise<void>;
}

/** Starts nginx with a shipped configuration, whose addresses and ports `edit` changes. */
export async function startNginx(
  file: string,
  edit: (config: string) => string,
): Promise<StartedNginx> {
  const folder = await mkdtemp(path.join(tmpdir(), 'waymark-proxy-'));
  await layOutNginx(folder, file, edit);
  const nginx = spawn('nginx', [...optionsOf(folder), '-g', 'daemon off; pid nginx.pid;'], {
    stdio: 'inherit',
  });
  const pid = path.join(folder, 'nginx.pid');
  await untilSoon('nginx has started', () => {
    if (nginx.exitCode !== null) throw new Error(`nginx ended with ${nginx.exitCode}`);
    return existsSync(pid);
  });
  return {
    folder,
    async stop() {
      nginx.kill('SIGTERM');
      await once(nginx, 'exit');
      await rm(folder, { recursive: true });
    },
  };
}

/** Asks nginx whether it takes a shipped configuration, and what it says to it. */
export async function checkNginx(file: string, edit: (config: string) => string) {
  const folder = await mkdtemp(path.join(tmpdir(), 'waymark-proxy-'));
  await layOutNginx(folder, file, edit);
  const options = [...optionsOf(folder), '-t', '-g', 'pid nginx.pid; error_log stderr;'];
  const { status, stderr } = spawnSync('nginx', options, { encoding: 'utf8' });
  await rm(folder, { recursive: true });
  return { status, stderr };
}

const optionsOf = (folder: string) => ['-p', folder, '-c', 'nginx.conf', '-e', 'error.log'];

async function layOutNginx(folder: string, file: string, edit: (config: string) => string) {
  const shipped = await readFile(path.join(SHIPPED, file), 'utf8');
  await writeFile(path.join(folder, 'nginx.conf'), edit(shipped));
  for (const part of (await readdir(SHIPPED)).filter((name) => name.endsWith('.inc')))
    await copyFile(path.join(SHIPPED, part), path.join(folder, part));
  if (!shipped.includes('ssl_certificate')) return;
  const files = ['-keyout', 'waymark-key.pem', '-out', 'waymark.pem'];
  const names = ['-subj', '/CN=example.com', '-addext', 'subjectAltName=DNS:*.example.com'];
  const about = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1'];
  spawnSync('openssl', ['req', ...about, ...files, ...names], { cwd: folder });
}
