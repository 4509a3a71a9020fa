import { createServer as createHttpServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type FaultProxy, startFaultProxy } from './index.js';

const ANSWER = 'a'.repeat(1_000);

let service: Server;
let served: number;
let proxy: FaultProxy;

beforeEach(async () => {
  served = 0;
  service = createHttpServer((_request, response) => {
    served++;
    response.end(ANSWER);
  });
  await once(service.listen(0, '127.0.0.1'), 'listening');
  proxy = await startFaultProxy({ port: (service.address() as AddressInfo).port });
});
afterEach(async () => {
  await proxy.close();
  service.close();
  service.closeAllConnections();
});

const ask = async () => {
  const answer = await fetch(proxy.through('http://example.test/'), {
    headers: { connection: 'close' },
  });
  return answer.text();
};

describe('the fault proxy', () => {
  test('passes everything while no fault is set', async () => {
    expect(await ask()).toBe(ANSWER);
  });

  test('drops the answer after the work was done, as often as it is told', async () => {
    proxy.set({ kind: 'drop-answer', times: 1 });
    await expect(ask()).rejects.toThrow('fetch failed');
    expect(await ask()).toBe(ANSWER);
    expect(served).toBe(2);
  });

  test('cuts an answer in the middle', async () => {
    proxy.set({ kind: 'cut', afterBytes: 500 });
    await expect(ask()).rejects.toThrow();
    proxy.heal();
    expect(await ask()).toBe(ANSWER);
  });

  test('holds everything back in a black hole and lets it go on when healed', async () => {
    proxy.set({ kind: 'black-hole' });
    const answer = ask();
    await once(service, 'connection');
    expect(served).toBe(0);
    proxy.heal();
    expect(await answer).toBe(ANSWER);
  });

  test('silences open connections for good, and lets new ones live', async () => {
    proxy.set({ kind: 'black-hole' });
    const silent = ask();
    await once(service, 'connection');
    proxy.silence();
    proxy.heal();
    expect(await ask()).toBe(ANSWER);
    expect(served).toBe(1);
    proxy.reset();
    await expect(silent).rejects.toThrow('fetch failed');
  });

  test('delays, refuses new connections and resets open ones', async () => {
    proxy.set({ kind: 'latency', ms: 1 });
    expect(await ask()).toBe(ANSWER);
    proxy.set({ kind: 'refuse' });
    await expect(ask()).rejects.toThrow('fetch failed');
    proxy.set({ kind: 'black-hole' });
    const stuck = ask();
    await once(service, 'connection');
    proxy.reset();
    await expect(stuck).rejects.toThrow('fetch failed');
  });
});
