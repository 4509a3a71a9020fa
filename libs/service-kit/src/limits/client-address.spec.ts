import { expect, test } from '@jest/globals';
import type { IncomingMessage } from 'node:http';
import { ClientAddresses, trustIn } from './client-address.js';

const request = (remoteAddress: string, forwarded?: string) =>
  ({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as IncomingMessage;

test.each([
  ['nobody behind it', '192.0.2.1', undefined, '192.0.2.1'],
  ['a stranger who claims to be another', '192.0.2.1', '198.51.100.7', '192.0.2.1'],
  ['a trusted proxy', '10.1.2.3', '198.51.100.7', '198.51.100.7'],
  ['a chain of proxies', '10.1.2.3', '198.51.100.7, 10.9.9.9', '198.51.100.7'],
  [
    'a client of a proxy who claims to be another',
    '10.1.2.3',
    '203.0.113.1, 198.51.100.7',
    '198.51.100.7',
  ],
  ['a trusted proxy that names nothing readable', '10.1.2.3', 'x'.repeat(10_000), '10.1.2.3'],
  [
    'a client who makes up a long chain',
    '10.1.2.3',
    `${'10.7.7.7, '.repeat(1_500)}198.51.100.7`,
    '198.51.100.7',
  ],
  [
    'the far end of a chain, of which the last addresses are read',
    '10.1.2.3',
    `1.1.1.1${', 10.7.7.7'.repeat(1_500)}`,
    '10.7.7.7',
  ],
  ['IPv4 on an IPv6 port', '::ffff:192.0.2.1', undefined, '192.0.2.1'],
  ['a network of IPv6', '2001:db8:1:2:3:4:5:6', undefined, '2001:db8:1:2::/64'],
  ['the same network', '2001:0db8:1:0002::1', undefined, '2001:db8:1:2::/64'],
  ['IPv6 loopback', '::1', undefined, '0:0:0:0::/64'],
])('%s is told from its address (W2)', (_, peer, forwarded, address) => {
  expect(new ClientAddresses(trustIn(['10.0.0.0/8'])).of(request(peer, forwarded))).toBe(address);
});

test('a request is looked at once (R13)', () => {
  let asked = 0;
  const addresses = new ClientAddresses(() => ++asked > 0);
  const chain = request('10.1.2.3', '10.7.7.7, '.repeat(50));
  const first = addresses.of(chain);
  const before = asked;
  expect([addresses.of(chain), asked]).toEqual([first, before]);
});

test('where no proxy is trusted, nobody speaks for another', () => {
  expect(new ClientAddresses(trustIn([])).of(request('127.0.0.1', '198.51.100.7'))).toBe(
    '127.0.0.1',
  );
});
