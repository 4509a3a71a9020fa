import { PassThrough } from 'node:stream';
import { expect, jest, test } from '@jest/globals';
import { Session, ask } from './session.js';

/** What a command prints of a file, on a terminal or elsewhere. */
function printed(text: string, isTTY: boolean): string {
  const wasTTY = process.stdout.isTTY;
  const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  process.stdout.isTTY = isTTY;
  try {
    new Session({ env: 'development' }, () => ({}) as never).printFile({}, text);
    return write.mock.calls.map(([piece]) => String(piece)).join('');
  } finally {
    process.stdout.isTTY = wasTTY;
    write.mockRestore();
  }
}

test('a file comes out exactly as it is, and on a terminal nothing in it acts', () => {
  const file = 'flow: tour # \u001b[2J\nstart: hello';
  expect(printed(file, false)).toBe(`${file}\n`);
  expect(printed(file, true)).toBe('flow: tour # \\u001b[2J\nstart: hello\n');
});

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
