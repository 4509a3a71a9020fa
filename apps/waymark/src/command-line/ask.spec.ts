import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import { ask } from './ask.js';

/** What becomes of a question at a terminal where that is typed. */
async function typing(keys: string): Promise<boolean> {
  const input = new PassThrough();
  const output = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  const answer = ask('Sure?', { input, output });
  await new Promise(setImmediate);
  input.write(keys);
  return answer;
}

test.each(['y\r', ' YES \r'])('%j is a yes', async (keys) => {
  expect(await typing(keys)).toBe(true);
});

test.each([
  ['Enter', '\r'],
  ['no', 'no\r'],
  ['Ctrl-C', 'y\u0003'],
  ['Ctrl-D', '\u0004'],
])('%s is a no, and no crash', async (_, keys) => {
  expect(await typing(keys)).toBe(false);
});
