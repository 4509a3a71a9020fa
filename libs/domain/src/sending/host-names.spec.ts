import { createSocket, type Socket } from 'node:dgram';
import { promises as dns } from 'node:dns';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { HostNames } from './host-names.js';

let silent: Socket;
let questions = 0;
beforeAll(async () => {
  silent = createSocket('udp4').on('message', () => questions++);
  await once(silent.bind(0, '127.0.0.1'), 'listening');
});
afterAll(() => void silent.close());

const RECEIVER = [{ address: '192.0.2.7', family: 4 }];

/** Asks a name server that never answers. */
function impatient(): dns.Resolver {
  const resolver = new dns.Resolver({ timeout: 50, tries: 1 });
  resolver.setServers([`127.0.0.1:${(silent.address() as AddressInfo).port}`]);
  return resolver;
}
const answering = () => ({ resolve4: () => Promise.resolve([]), resolve6: () => Promise.reject(new Error('ENODATA')) });

test('a name whose servers never answer is never left to the machine, and is asked for once by all (S19)', async () => {
  const looked: string[] = [];
  const lookup = (host: string) => Promise.resolve(RECEIVER).finally(() => looked.push(host));
  const names = new HostNames({ makeResolver: impatient, lookup });
  const asked = await Promise.allSettled(Array.from({ length: 20 }, () => names.find('receiver.test')));
  for (const one of asked) expect(one).toMatchObject({ reason: { code: 'webhook.no-name-server' } });
  expect([looked, questions]).toEqual([[], 2]);
  expect(await names.find('LOCALHOST')).toBe(RECEIVER);
});

test('the machine is asked for one name at a time, also after one that it does not know (S19)', async () => {
  const looked: string[] = [];
  const ends: (() => void)[] = [];
  const lookup = async (host: string) => {
    looked.push(host);
    await new Promise<void>((resolve) => ends.push(resolve));
    if (host === 'unknown.test') throw new Error('ENOTFOUND');
    return RECEIVER;
  };
  const names = new HostNames({ makeResolver: answering as never, lookup });
  const found = Promise.allSettled(['unknown.test', 'b.test', 'c.test'].map((host) => names.find(host)));
  for (const known of [['unknown.test'], ['unknown.test', 'b.test'], ['unknown.test', 'b.test', 'c.test']]) {
    while (looked.length < known.length) await new Promise(setImmediate);
    await new Promise(setImmediate);
    expect(looked).toEqual(known);
    ends.shift()!();
  }
  expect((await found).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
});

test('a name that was slow is looked up beside the others the next time, one slow name at a time (S19)', async () => {
  const waiting = new Map<string, () => void>();
  const lookup = (host: string) =>
    new Promise<typeof RECEIVER>((resolve) => waiting.set(host, () => waiting.delete(host) && resolve(RECEIVER)));
  // Whatever takes any time at all is slow.
  const names = new HostNames({ makeResolver: answering as never, lookup }, 0);
  const isAsked = async (...hosts: string[]) => {
    while (!hosts.every((host) => waiting.has(host))) await new Promise(setImmediate);
    await new Promise(setImmediate);
    expect([...waiting.keys()]).toEqual(hosts);
  };
  for (const host of ['slow.test', 'slower.test']) {
    const found = names.find(host);
    await isAsked(host);
    waiting.get(host)!();
    await found;
  }
  const found = ['slow.test', 'slower.test', 'quick.test'].map((host) => names.find(host));
  await isAsked('slow.test', 'quick.test');
  waiting.get('slow.test')!();
  await isAsked('quick.test', 'slower.test');
  for (const answer of [...waiting.values()]) answer();
  await Promise.all(found);
});
