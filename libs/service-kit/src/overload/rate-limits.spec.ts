import { beforeEach, describe, expect, test } from '@jest/globals';
import { Buckets } from './buckets.js';
import { RateLimits, type Rates } from './rate-limits.js';

const PAGE = { environmentId: 'e', keyId: 'page', isSecret: false };
const BACKEND = { environmentId: 'e', keyId: 'backend', isSecret: true };
let clock: number;
let limits: RateLimits;

beforeEach(() => {
  clock = 0;
  limits = new RateLimits({ perAddress: 10, perPublicKey: 30, perSecretKey: 50 }, () => clock);
});

const taken = (times: number, ...asked: Parameters<RateLimits['take']>) =>
  Array.from({ length: times }, () => limits.take(...asked)).filter(Boolean).length;

describe('how often one may ask', () => {
  test('an address with a public key or none has two seconds worth, then so much a second (W2)', () => {
    expect(taken(100, 'a', PAGE)).toBe(20);
    expect([limits.isExhausted('a'), limits.isExhausted('b')]).toEqual([true, false]);
    expect(taken(100, 'b')).toBe(20);
    clock = 1_000;
    expect(taken(100, 'a')).toBe(10);
  });

  test('a public key is counted over all addresses, too (W2)', () => {
    expect(['a', 'b', 'c', 'd'].map((address) => taken(20, address, PAGE))).toEqual([20, 20, 20, 0]);
  });

  test('a secret key is counted by itself, wherever it is used (W2)', () => {
    taken(20, 'a');
    expect(taken(200, 'a', BACKEND)).toBe(100);
    expect(taken(20, 'b')).toBe(20);
  });

  test('what costs much leaves a debt (W2)', () => {
    expect(taken(10, 'a', PAGE, 25)).toBe(1);
    clock = 500;
    expect(taken(1, 'a')).toBe(0);
    clock = 700;
    expect(taken(9, 'a')).toBe(2);
    clock = 60_000;
    expect(taken(100, 'a')).toBe(20);
  });

  test('what was read counts afterwards, and leaves a debt of any size (R13)', () => {
    for (const address of ['a', 'a', 'b']) limits.chargeAnswer(10 * 32_768, address, PAGE);
    limits.chargeAnswer(32_767, 'b');
    expect([taken(100, 'a'), taken(100, 'b')]).toEqual([0, 10]);
    limits.chargeAnswer(110 * 32_768, 'b', BACKEND);
    expect([taken(1, 'b', BACKEND), taken(1, 'c', PAGE)]).toEqual([0, 1]);
  });

  test('a connection that had to be cut counts as much as many others, and for connections only (R13)', () => {
    limits.chargeCut('a');
    expect([limits.takeConnection('a'), limits.takeConnection('b'), limits.isExhausted('a')]).toEqual([false, true, false]);
    clock = 9_000;
    expect(limits.takeConnection('a')).toBe(true);
  });

  test('what comes in on open sockets is counted by itself, by frames and by bytes (R13)', () => {
    const frames = (times: number) => Array.from({ length: times }, () => limits.takeFrames('a', 1)).filter(Boolean).length;
    expect([frames(1_000), taken(100, 'a')]).toEqual([200, 20]);
    clock = 2_000;
    limits.chargeFrames('a', 100 * 128);
    expect(frames(1_000)).toBe(100);
    limits.chargeFrames('a', 100 * 128);
    clock = 3_000;
    expect(frames(1)).toBe(0);
  });

  test('a new connection counts as four requests, by itself (R13)', () => {
    const connected = Array.from({ length: 10 }, () => limits.takeConnection('a')).filter(Boolean).length;
    expect([connected, limits.takeConnection('b'), taken(100, 'a')]).toEqual([5, true, 20]);
  });

  /** One more of what counts against each rate; the compiler refuses a rate that is missing here. */
  const ONE_MORE: Record<keyof Rates, (nth: number) => boolean> = {
    perAddress: () => limits.take('a'),
    perPublicKey: (nth) => limits.take(`a${nth}`, PAGE),
    perSecretKey: (nth) => limits.take(`a${nth}`, BACKEND),
  };

  test.each(Object.entries(ONE_MORE))('%s has a bound of its own, whatever the others are (W2)', (rate, isTaken) => {
    limits = new RateLimits({ perAddress: 1_000, perPublicKey: 1_000, perSecretKey: 1_000, [rate]: 3 }, () => clock);
    expect(Array.from({ length: 10 }, (_, nth) => isTaken(nth)).filter(Boolean)).toHaveLength(6);
  });
});

test('who has not asked lately is forgotten, and of too many names the one that was new first (R13)', () => {
  let now = 0;
  const buckets = new Buckets(10, () => now);
  for (let name = 0; name < 1_000; name++) buckets.take(String(name));
  now = 1_000;
  buckets.take('another');
  expect(buckets.size).toBe(1);
  for (let name = 0; name < 100_001; name++) buckets.take(String(name));
  expect(buckets.size).toBe(100_000);
});
