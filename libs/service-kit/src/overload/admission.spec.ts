import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Admission } from './admission.js';

let clock: number;
let admission: Admission;
let server: Server;
/** Requests that run, by their path. */
let running: Map<string, { request: IncomingMessage; response: ServerResponse }>;
let begun: () => void;

beforeEach(async () => {
  clock = 0;
  running = new Map();
  const refuse = (_request: IncomingMessage, response: ServerResponse) => void response.writeHead(503).end();
  admission = new Admission({ maxRunning: 1, maxWaiting: 2, patienceMs: 500, refuse }, () => clock);
  server = admission.createServer({}, (request, response) => {
    running.set(request.url!, { request, response });
    begun();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterEach(() => {
  admission.stop();
  server.closeAllConnections();
  server.close();
});

const ask = async (path: string, signal?: AbortSignal) =>
  (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, { ...(signal && { signal }) })).status;
const runs = async (path: string) => {
  while (!running.has(path)) await new Promise<void>((resolve) => (begun = resolve));
  return running.get(path)!;
};
const waiting = async (count: number) => {
  while (admission.waiting !== count) await new Promise((resolve) => setImmediate(resolve));
};

describe('the admission of requests', () => {
  test('lets one run after the other, in the order of their arrival, and tells how long each waited (P12)', async () => {
    const answers = [ask('/a')];
    const { response } = await runs('/a');
    answers.push(ask('/b'));
    await waiting(1);
    answers.push(ask('/c'));
    await waiting(2);
    clock = 200;
    response.end();
    const second = await runs('/b');
    expect(running.has('/c')).toBe(false);
    expect([(await runs('/a')).request, second.request].map((request) => admission.waitedMs(request))).toEqual([0, 200]);
    second.response.end();
    (await runs('/c')).response.end();
    expect(await Promise.all(answers)).toEqual([200, 200, 200]);
    expect(admission.running).toBe(0);
  });

  test('refuses who finds too many waiting, and who has waited too long (P12)', async () => {
    const first = ask('/a');
    await runs('/a');
    const early = ask('/b');
    await waiting(1);
    clock = 400;
    const late = ask('/c');
    await waiting(2);
    expect(await ask('/d')).toBe(503);
    clock = 500;
    admission.sweep();
    expect(await early).toBe(503);
    expect(admission.waiting).toBe(1);
    (await runs('/a')).response.end();
    (await runs('/c')).response.end();
    expect(await Promise.all([first, late])).toEqual([200, 200]);
  });

  test('answers health at any time', async () => {
    const first = ask('/a');
    await runs('/a');
    const health = ask('/health/live');
    (await runs('/health/live')).response.end();
    expect(await health).toBe(200);
    (await runs('/a')).response.end();
    await first;
  });

  test('does no work for who has gone while waiting', async () => {
    const first = ask('/a');
    await runs('/a');
    const leaving = new AbortController();
    const gone = ask('/b', leaving.signal).catch(() => 'gone');
    await waiting(1);
    leaving.abort();
    expect(await gone).toBe('gone');
    await waiting(0);
    const last = ask('/c');
    await waiting(1);
    (await runs('/a')).response.end();
    (await runs('/c')).response.end();
    expect(await Promise.all([first, last])).toEqual([200, 200]);
    expect(running.has('/b')).toBe(false);
  });
});
