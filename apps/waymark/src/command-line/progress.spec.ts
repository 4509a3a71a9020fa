import { expect, test } from '@jest/globals';
import { Progress } from './progress.js';

function progressOn(isTTY: boolean) {
  const written: string[] = [];
  const write = (text: string) => written.push(text) > 0;
  return { written, progress: new Progress({ note: write }, { isTTY, write: write as NodeJS.WriteStream['write'] }) };
}

test('on a terminal each line replaces the one before, and none is left for the result to run into', () => {
  const { written, progress } = progressOn(true);
  progress.tell(500, '500 users');
  progress.tell(3_000, '3000 users');
  progress.end();
  progress.end();
  expect(written).toEqual(['\r\u001b[K500 users', '\r\u001b[K3000 users', '\r\u001b[K']);
});

test('elsewhere it is a line now and then', () => {
  const { written, progress } = progressOn(false);
  for (let count = 500; count <= 20_000; count += 500) progress.tell(count, `${count} users`);
  progress.end();
  expect(written).toEqual(['10000 users', '20000 users']);
});
