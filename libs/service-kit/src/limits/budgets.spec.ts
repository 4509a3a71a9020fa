import { describe, expect, test } from '@jest/globals';
import { AddressBudgets, Budgets } from './budgets.js';

let now = 0;
const clock = () => now;
const taken = (times: number, take: () => boolean) =>
  Array.from({ length: times }, take).filter(Boolean).length;

describe('a budget', () => {
  test('gives two seconds worth at once, then so many a second, and never saves up more (W2)', () => {
    const budgets = new Budgets(10, clock);
    const take = () => budgets.take('a');
    expect(taken(100, take)).toBe(20);
    now += 100;
    expect(taken(100, take)).toBe(1);
    now += 1_000;
    expect(taken(100, take)).toBe(10);
    now += 1_000_000;
    expect(taken(100, take)).toBe(20);
  });

  test.each([1, 3, 7, 1_000, 100_000])('of %i a second is counted exactly (W2)', (perSecond) => {
    const budgets = new Budgets(perSecond, clock);
    expect(taken(3 * perSecond, () => budgets.take('a'))).toBe(2 * perSecond);
  });

  test('loses at most a second by one cost, whatever its size, and is never further away (W2)', () => {
    const budgets = new Budgets(10, clock);
    expect(budgets.take('a', Number.MAX_SAFE_INTEGER)).toBe(true);
    expect(taken(100, () => budgets.take('a'))).toBe(10);
    for (let time = 0; time < 100; time++) budgets.charge('a', Infinity);
    now += 1_100;
    expect(budgets.take('a')).toBe(true);
  });

  test('is forgotten when it is full, and of too many names the first is (R13)', () => {
    const budgets = new Budgets(10, clock);
    for (let name = 0; name < 1_000; name++) budgets.take(String(name));
    now += 1_000;
    budgets.take('another');
    expect(budgets.size).toBe(1);
    for (let name = 0; name < 100_001; name++) budgets.take(String(name));
    expect(budgets.size).toBe(100_000);
  });
});

test('an address of IPv6 has a budget, and its /48 has 16 times as much (W2)', () => {
  const budgets = new AddressBudgets(10, clock);
  const all = Array.from({ length: 20 }, (_, subnet) => `2001:db8:1:${subnet.toString(16)}::/64`);
  const sums = all.map((address) => taken(100, () => budgets.take(address)));
  expect(sums).toEqual([...Array<number>(16).fill(20), 0, 0, 0, 0]);
  expect(budgets.isEmpty('2001:db8:1:ff::/64')).toBe(true);
  expect(taken(100, () => budgets.take('2001:db8:2:0::/64'))).toBe(20);
  expect(taken(100, () => budgets.take('192.0.2.1'))).toBe(20);
});
