import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

// Starts services and sources of load as processes of their own, and stops them.

/** Limits that load from one address, with the key of a page, does not reach. */
const LIMITS = Object.fromEntries(
  [
    'REQUESTS_PER_ADDRESS',
    'REQUESTS_PER_SECRET_KEY',
    'LIVE_SOCKETS_PER_ADDRESS',
    'LIVE_HANDSHAKES_PER_ADDRESS',
  ].map((name) => [name, '1000000']),
);

const running = new Set();
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/** Runs a Node program until `stop`, and resolves once it has written a line with `"url":"…"`. */
export async function startServer(file, settings, nodeOptions = []) {
  const child = spawn(process.execPath, [...nodeOptions, fileURLToPath(file)], {
    env: {
      PATH: process.env.PATH,
      HOST: '127.0.0.1',
      PORT: '0',
      METRICS_PORT: '0',
      ...LIMITS,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(child);
  const url = await new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const found = /"url":"([^"]+)"/.exec(line);
      if (found) resolve(found[1]);
    });
  });
  const stop = async () => {
    child.kill('SIGTERM');
    await once(child, 'exit');
    running.delete(child);
  };
  return { url, pid: child.pid, stop };
}

/**
 * Offers load from a process of its own, from `connections` or at a fixed rate of `perSecond` over
 * at most so many, and returns `{ rate, answered, shed, refused }`: answers with 2xx a second, all
 * answers with 2xx, all 429 and 503 with Retry-After, all others. `requests` is the URL of a module
 * whose `createRequests(options)` returns a function that gives the next `{ method, path, headers,
 * body }`.
 */
export async function offerLoad({ url, connections, perSecond, seconds, requests, options = {} }) {
  const child = fork(fileURLToPath(new URL('./load.mjs', import.meta.url)));
  running.add(child);
  child.send({ url, connections, perSecond, seconds, requests: String(requests), options });
  const [result] = await once(child, 'message');
  await once(child, 'exit');
  running.delete(child);
  return result;
}

/**
 * Starts a Node program with a message that says what to do, and answers with the message that it
 * sends when it is done.
 */
export async function runTask(file, task) {
  const child = fork(fileURLToPath(file));
  running.add(child);
  const ended = once(child, 'exit');
  child.send(task);
  const result = await Promise.race([
    once(child, 'message').then(([message]) => message),
    ended.then(([code]) => Promise.reject(new Error(`${file} ended with ${code}`))),
  ]);
  await ended;
  running.delete(child);
  return result;
}

/** Resident memory in KiB. */
export async function memoryOf(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)[1]);
}
