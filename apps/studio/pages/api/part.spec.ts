import { expect, test } from '@jest/globals';
import { readPart, writePart } from './part.js';

test.each(['.', '..', '~.', '~~..', '...', '~', 'a/b', '%2e', '../x', 'ada'])(
  '%j is one part of an address, and read again (T5)',
  (name) => {
    const part = writePart(name);
    expect(new URL(`http://studio.test/users/${part}/export`).pathname).toBe(
      `/users/${part}/export`,
    );
    expect(readPart(part)).toBe(name);
  },
);
