import { createSocket, type Socket } from 'node:dgram';
import { promises as dns } from 'node:dns';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findAddresses, isPublicAddress } from './addresses.js';

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
const unknown = () => Promise.reject(Object.assign(new Error('unknown'), { code: 'ENOTFOUND' }));
const late = () => Promise.reject(Object.assign(new Error('late'), { code: 'ETIMEOUT' }));
const lookup = () => Promise.resolve(RECEIVER);
const refused = () => Promise.reject(new Error('the machine was asked'));

test('a name whose servers never answer is never left to the machine (S19)', async () => {
  await expect(
    findAddresses('receiver.test', { makeResolver: impatient, lookup: refused }),
  ).rejects.toMatchObject({ code: 'webhook.no-name-server' });
  expect(questions).toBe(2);
  const halfLate = () => ({ resolve4: unknown, resolve6: late });
  await expect(
    findAddresses('receiver.test', { makeResolver: halfLate, lookup: refused }),
  ).rejects.toMatchObject({ code: 'webhook.no-name-server' });
});

test('a name that its servers know is not asked of the machine, whose threads the database needs (S19)', async () => {
  const resolve4 = () => Promise.resolve(['192.0.2.7']);
  const resolve6 = () => Promise.resolve(['2001:db8::7']);
  const makeResolver = () => ({ resolve4, resolve6 }) as unknown as dns.Resolver;
  expect(await findAddresses('receiver.test', { makeResolver, lookup: refused })).toEqual([
    ...RECEIVER,
    { address: '2001:db8::7', family: 6 },
  ]);
  const onlyOne = () => ({ resolve4, resolve6: late }) as unknown as dns.Resolver;
  expect(await findAddresses('receiver.test', { makeResolver: onlyOne, lookup: refused })).toEqual(
    RECEIVER,
  );
});

test('a name of the hosts file, and one that no server knows, are asked of the machine (S19)', async () => {
  const answering = () => ({ resolve4: unknown, resolve6: unknown });
  expect(await findAddresses('crm', { makeResolver: answering, lookup })).toBe(RECEIVER);
  expect(await findAddresses('LOCALHOST', { makeResolver: impatient, lookup })).toBe(RECEIVER);
});

test.each([
  ['8.8.8.8', true],
  ['2606:4700::1111', true],
  ['10.0.0.1', false],
  ['169.254.169.254', false],
  ['100.100.100.200', false],
  ['168.63.129.16', false],
  ['::ffff:168.63.129.16', false],
  ['::127.0.0.1', false],
  ['fd00:ec2::254', false],
])('%s is public: %s (S19)', (address, isPublic) => {
  expect(isPublicAddress(address)).toBe(isPublic);
});
