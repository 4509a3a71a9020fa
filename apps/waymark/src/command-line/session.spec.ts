import { expect, jest, test } from '@jest/globals';
import { Session } from './session.js';

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
