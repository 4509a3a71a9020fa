import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { TableShape } from './database.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test('tables that are distributed while a service runs are noticed though nothing is refused (G1)', async () => {
  let isSo = false;
  const shape = new TableShape(() => Promise.resolve(isSo));
  expect(await shape.isDistributed()).toBe(false);
  isSo = true;
  expect(await shape.isDistributed()).toBe(false);
  jest.advanceTimersByTime(5_000);
  expect(await shape.isDistributed()).toBe(false);
  expect(await shape.isDistributed()).toBe(true);
});

test('a look that fails takes nothing away from what is known, and is made again (R2)', async () => {
  const answers = [
    () => Promise.reject(new Error('away')),
    () => Promise.resolve(true),
    () => Promise.reject(new Error('away')),
    () => Promise.resolve(false),
  ];
  const shape = new TableShape(() => answers.shift()!());
  await expect(shape.isDistributed()).rejects.toThrow('away');
  expect(await shape.isDistributed()).toBe(true);
  jest.advanceTimersByTime(5_000);
  expect(await shape.isDistributed()).toBe(true);
  expect(await shape.isDistributed()).toBe(true);
  jest.advanceTimersByTime(5_000);
  await shape.isDistributed();
  expect(await shape.isDistributed()).toBe(false);
  expect(answers).toEqual([]);
});
