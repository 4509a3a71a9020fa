import { expect, test } from '@jest/globals';
import { Progress, type ProgressState } from './progress.js';

/** Runs the steps a second apart. */
async function told(
  isTTY: boolean,
  steps: readonly ProgressState[],
  end: Promise<unknown> = Promise.resolve(),
  secondsApart = 1,
) {
  const written: string[] = [];
  const write = (text: string) => written.push(text) > 0;
  let at = 0;
  const progress = new Progress(
    { note: write },
    'users',
    { isTTY, write: write as NodeJS.WriteStream['write'] },
    () => at,
  );
  for (const step of steps) {
    at += secondsApart * 1_000;
    progress.show(step);
  }
  await progress.during(end).catch(() => undefined);
  return written;
}

const line = (text: string) => `\r\u001b[K${text}`;

test('on a terminal each line replaces the one before, and none is left for the result to run into', async () => {
  expect(
    await told(true, [
      { done: 500, total: 2_000 },
      { done: 1_500, total: 2_000, more: '2 failed' },
    ]),
  ).toEqual([
    line('500 of 2,000 users, 25 %'),
    line('1,500 of 2,000 users, 75 %, 1,000 a second, 0.5 s left, 2 failed'),
    line(''),
  ]);
});

test('what comes more often than anybody reads is left out', async () => {
  const steps = Array.from({ length: 100 }, (_, index) => ({ done: index + 1 }));
  expect(await told(true, steps, undefined, 0.02)).toHaveLength(20 + 1);
});

test('elsewhere it is a line every ten seconds, with rate and time left, also where only the share is known', async () => {
  const steps = Array.from({ length: 29 }, (_, index) => ({
    done: index * 1_000,
    share: index / 100,
  }));
  expect(await told(false, steps)).toEqual([
    '9,000 users, 9 %, 900 a second, 1.7 min left',
    '19,000 users, 19 %, 950 a second, 1.4 min left',
  ]);
});

test('a run that goes on with an earlier one tells its own rate', async () => {
  expect(
    await told(true, [
      { done: 90_000, share: 0.5 },
      { done: 90_100, share: 0.501 },
    ]),
  ).toEqual([
    line('90,000 users, 50 %'),
    line('90,100 users, 50 %, 100 a second, 8.3 min left'),
    line(''),
  ]);
});

test('work that is stopped says how far it came, and work that fails does not', async () => {
  const stop = (name: string) => Promise.reject(Object.assign(new Error('stop'), { name }));
  expect(await told(false, [{ done: 500, total: 2_000 }], stop('AbortError'))).toEqual([
    'as far as 500 of 2,000 users, 25 %',
  ]);
  expect(await told(false, [{ done: 500, total: 2_000 }], stop('Error'))).toEqual([]);
});
