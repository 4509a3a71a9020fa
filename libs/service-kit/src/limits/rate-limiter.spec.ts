import { beforeEach, describe, expect, test } from '@jest/globals';
import type { IncomingMessage } from 'node:http';
import type { Caller } from '@waymark/domain/access';
import type { FastifyRequest } from 'fastify';
import { ClientAddresses } from './client-address.js';
import { RateLimiter, type Rates } from './rate-limiter.js';

const PAGE: Caller = { environmentId: 'e', keyId: 'page', isSecret: false };
const BACKEND: Caller = { environmentId: 'e', keyId: 'backend', isSecret: true };
const RATES: Rates = { perAddress: 10, perSecretKey: 50 };
const ADDRESS = '198.51.100.7';

let clock: number;
let limited: number;
let limiter: RateLimiter;

function createLimiter(rates = RATES): RateLimiter {
  return new RateLimiter({
    rates,
    addresses: new ClientAddresses(() => false),
    isSecret: (key) => key === 'secret',
    onLimited: () => limited++,
    now: () => clock,
  });
}

beforeEach(() => {
  clock = limited = 0;
  limiter = createLimiter();
});

const request = (caller?: Caller, url = '/', headers = {}): FastifyRequest =>
  ({ raw: rawRequest(url, headers), caller, spent: 0 }) as unknown as FastifyRequest;
const rawRequest = (url: string, headers: object): IncomingMessage =>
  ({ url, headers, socket: { remoteAddress: ADDRESS } }) as unknown as IncomingMessage;
const taken = (times: number, take: () => boolean) =>
  Array.from({ length: times }, take).filter(Boolean).length;
const asked = (times: number, caller?: Caller) =>
  taken(times, () => limiter.takeRequest(request(caller)));

describe('rate limits', () => {
  test('count an address with a public key or none, at most two seconds worth at once (W2)', () => {
    expect(asked(100, PAGE)).toBe(20);
    expect(limited).toBe(80);
    expect([limiter.isLimited(rawRequest('/', {})), limiter.take('203.0.113.9', PAGE)]).toEqual([
      true,
      true,
    ]);
    clock = 1_000;
    expect(asked(100)).toBe(10);
  });

  test('give a public key no budget that somebody could empty for others (W2)', () => {
    for (let address = 0; address < 200; address++)
      expect(taken(100, () => limiter.take(`a${address}`, PAGE))).toBe(20);
  });

  test('count a verified user over all addresses, in one environment (W2)', () => {
    const ada = { ...PAGE, token: { user: 'ada' } as Caller['token'] } as Caller;
    expect(taken(100, () => limiter.take('a', ada))).toBe(20);
    expect(limiter.take('b', ada)).toBe(false);
    expect(limiter.take('b', { ...ada, environmentId: 'other' })).toBe(true);
    expect(limiter.take('b', PAGE)).toBe(true);
  });

  test('count a secret key by itself, wherever it is used (W2)', () => {
    asked(20);
    expect(asked(200, BACKEND)).toBe(100);
    expect(limiter.isLimited(rawRequest('/', { 'x-api-key': 'secret' }))).toBe(false);
    expect(taken(20, () => limiter.take('203.0.113.9'))).toBe(20);
  });

  test('count nothing that a head only announces (W2)', () => {
    const announced = (length: number) =>
      limiter.takeRequest(request(PAGE, '/', { 'content-length': String(length) }));
    for (const length of [1e10, Number.MAX_SAFE_INTEGER]) expect(announced(length)).toBe(true);
    expect(asked(100, PAGE)).toBe(18);
  });

  test('count what arrived of a body and was answered, at most a second of the budget together (W2)', () => {
    const large = request(PAGE);
    expect(limiter.takeRequest(large)).toBe(true);
    for (const [before, bytes] of [
      [0, 5 * 1_024],
      [5 * 1_024, 1_000_000],
      [1_005_120, 1_000_000],
    ] as const)
      expect(limiter.takeBytes(large, before, bytes)).toBe(true);
    limiter.chargeRequest(large, 100_000_000);
    expect(asked(100, PAGE)).toBe(10);
  });

  test('refuse the rest of a body when the budget is empty (R13)', () => {
    const first = request(PAGE);
    limiter.takeRequest(first);
    expect(asked(19)).toBe(19);
    expect(limiter.takeBytes(first, 0, 1_023)).toBe(true);
    expect(limiter.takeBytes(first, 1_023, 1)).toBe(false);
  });

  test('count a long target as more requests (R13)', () => {
    expect(limiter.takeRequest(request(PAGE, `/${'a'.repeat(7 * 1_024)}`))).toBe(true);
    expect(asked(100)).toBe(12);
  });

  test('count what is shown on sockets, each at most a second of the budget (R13)', () => {
    limiter.chargeAnswer(32_767, 'a', PAGE);
    expect(taken(100, () => limiter.take('a'))).toBe(20);
    limiter.chargeAnswer(1e12, 'b', PAGE);
    expect(taken(100, () => limiter.take('b'))).toBe(10);
    limiter.chargeAnswer(1e12, 'c', BACKEND);
    expect([taken(200, () => limiter.take('c', BACKEND)), limiter.take('c')]).toEqual([50, true]);
  });

  test('count connections as four requests, by themselves, and those that had to be cut as more (R13)', () => {
    expect(taken(10, () => limiter.takeConnection(ADDRESS))).toBe(5);
    expect(asked(100)).toBe(20);
    clock = 10_000;
    limiter.chargeCut(rawRequest('/', {}).socket);
    limiter.chargeCut(rawRequest('/', {}).socket);
    expect(limiter.takeConnection(ADDRESS)).toBe(false);
    expect(limiter.takeConnection('203.0.113.9', false)).toBe(false);
    expect(limiter.takeConnection('203.0.113.9')).toBe(true);
  });

  test('count what comes in on open sockets by itself, by frames and by bytes (R13)', () => {
    expect([taken(1_000, () => limiter.takeFrames('a', 1)), asked(100)]).toEqual([200, 20]);
    clock = 2_000;
    limiter.chargeFrames('a', 100 * 128);
    expect(taken(1_000, () => limiter.takeFrames('a', 1))).toBe(100);
  });

  /**
   * One more of what counts against each rate; the compiler refuses a rate that is missing here.
   */
  const ONE_MORE: Record<keyof Rates, (nth: number) => boolean> = {
    perAddress: () => limiter.take('a'),
    perSecretKey: (nth) => limiter.take(`a${nth}`, BACKEND),
  };

  test.each(Object.entries(ONE_MORE))(
    '%s has a bound of its own, whatever the others are (W2)',
    (rate, isTaken) => {
      limiter = createLimiter({ perAddress: 1_000, perSecretKey: 1_000, [rate]: 3 });
      expect(Array.from({ length: 10 }, (_, nth) => isTaken(nth)).filter(Boolean)).toHaveLength(6);
    },
  );
});
