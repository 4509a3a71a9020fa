import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { open, requestText } from '@waymark/testing/attacks';
import { Admission } from './admission.js';

let clock: number;
let admission: Admission;
let server: Server;
/** Requests that run, by their path. */
let running: Map<string, { request: IncomingMessage; response: ServerResponse }>;
let begun: () => void;
let overloads: number;
let cuts: number;

beforeEach(async () => {
  clock = 0;
  overloads = 0;
  cuts = 0;
  running = new Map();
  const refuse = (_request: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(503).end();
  const slots = { maxRunning: 1, maxWaiting: 2, patienceMs: 500 };
  const slow = { maxBodyBytes: 1_000, maxUnreadBytes: 8_000_000, readTimeoutMs: 30_000 };
  const refusals = {
    isLimited: () => false,
    refuseLimited: refuse,
    refuseOverload: refuse,
    onOverload: () => overloads++,
    onCut: () => cuts++,
  };
  const bypasses = ({ url }: IncomingMessage) => url === '/health/live';
  admission = new Admission({ ...slots, ...slow, ...refusals, bypasses }, () => clock);
  const run = (request: IncomingMessage, response: ServerResponse) => {
    running.set(request.url!, { request, response });
    begun();
  };
  server = createServer((request, response) => admission.handle(request, response, run));
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterEach(() => {
  admission.stop();
  server.closeAllConnections();
  server.close();
});

const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const ask = async (path: string, signal?: AbortSignal) =>
  (await fetch(`${url()}${path}`, { ...(signal && { signal }) })).status;
const runs = async (path: string) => {
  while (!running.has(path)) await new Promise<void>((resolve) => (begun = resolve));
  return running.get(path)!;
};
const settled = async (condition: () => boolean) => {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
};
const waiting = (count: number) => settled(() => admission.waiting === count);

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
    expect(
      [(await runs('/a')).request, second.request].map((request) => admission.waitedMs(request)),
    ).toEqual([0, 200]);
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
    expect(overloads).toBe(1);
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

  test('does no work for a client that has gone while waiting', async () => {
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

  test('takes the requests of one connection one after the other, and gives all back when it ends (R13)', async () => {
    const client = (await open({ url: url() }))!;
    client.write(
      ['/a', '/b', '/c'].map((path) => requestText({ url: url() }, `GET ${path}`)).join(''),
    );
    const { response } = await runs('/a');
    response.end();
    await runs('/b');
    expect([running.has('/c'), admission.running, admission.waiting]).toEqual([false, 1, 0]);
    client.destroy();
    await settled(() => admission.running === 0);
    const next = ask('/d');
    (await runs('/d')).response.end();
    expect(await next).toBe(200);
    expect(running.has('/c')).toBe(false);
  });

  test('holds no slot for a client that does not read the answer, and cuts off one that takes too long (R13)', async () => {
    const sleeper = (await open({ url: url() }))!;
    sleeper.pause();
    sleeper.write(requestText({ url: url() }, 'GET /a'));
    (await runs('/a')).response.end('x'.repeat(7_000_000));
    expect([admission.running, admission.slowClients]).toEqual([0, 1]);
    clock = 30_001;
    admission.sweep();
    await settled(() => admission.slowClients === 0);
  });

  test('keeps nothing of a client that has gone, though its answer is made after that (R13)', async () => {
    const client = (await open({ url: url() }))!;
    client.write(requestText({ url: url() }, 'GET /a'));
    const { response } = await runs('/a');
    client.destroy();
    await settled(() => admission.running === 0);
    response.end('nobody reads this');
    expect([admission.running, admission.slowClients]).toEqual([0, 0]);
  });

  test('lets a body that came with its head wait for its turn before anything is done for it (P12)', async () => {
    const first = ask('/a');
    await runs('/a');
    const client = (await open({ url: url() }))!;
    client.write(requestText({ url: url() }, 'POST /b', { 'content-length': 4 }, 'body'));
    await settled(() => admission.waiting + admission.slowClients === 1);
    expect([admission.waiting, running.has('/b')]).toEqual([1, false]);
    (await runs('/a')).response.end();
    const { request, response } = await runs('/b');
    response.end();
    expect([await first, request.complete]).toEqual([200, true]);
    client.destroy();
  });

  test('takes nothing for a body that is looked at after its connection has ended (R13)', async () => {
    const client = (await open({ url: url() }))!;
    client.write(requestText({ url: url() }, 'POST /a', { 'content-length': 9 }, 'x'));
    const { request } = await runs('/a');
    client.destroy();
    await settled(() => admission.slowClients === 0);
    admission.bodyArrived(request, 9, () => begun());
    expect(admission.running).toBe(0);
  });

  test('reads on briefly behind an answer that came before its body, then cuts the connection (R13)', async () => {
    const client = (await open({ url: url() }))!;
    client.write(requestText({ url: url() }, 'POST /a', { 'content-length': 9_000_000 }, 'x'));
    const { request, response } = await runs('/a');
    response.writeHead(413).end();
    client.write('x'.repeat(100_000));
    await settled(() => request.socket.destroyed);
    expect([request.readableLength, admission.running, admission.slowClients]).toEqual([0, 0, 0]);
  });

  test('cuts a connection that sends too many requests ahead, and does nothing for them (R13)', async () => {
    const client = (await open({ url: url() }))!;
    client.write(requestText({ url: url() }, 'GET /a').repeat(300));
    await settled(() => cuts > 0);
    await settled(() => admission.running === 0);
    expect([cuts, running.size]).toEqual([1, 1]);
    client.destroy();
  });

  test('holds no slot for a body that does not come, and cuts off the slowest when bodies take too much (R13)', async () => {
    const headers = { 'content-length': 900 };
    const slow = (await open({ url: url() }))!;
    slow.write(requestText({ url: url() }, 'POST /slow', headers, 'x'));
    const { request } = await runs('/slow');
    expect([admission.running, admission.slowClients]).toEqual([0, 1]);
    admission.bodyGrew(request, 600);
    const quick = ask('/quick');
    (await runs('/quick')).response.end();
    expect(await quick).toBe(200);
    const other = (await open({ url: url() }))!;
    other.write(requestText({ url: url() }, 'POST /other', headers, 'x'));
    admission.bodyGrew((await runs('/other')).request, 600);
    expect(running.get('/slow')!.response.statusCode).toBe(503);
    expect(running.get('/other')!.response.writableEnded).toBe(false);
    other.destroy();
  });
});
