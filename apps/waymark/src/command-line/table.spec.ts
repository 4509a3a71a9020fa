import { expect, test } from '@jest/globals';
import { plainText } from './plain-text.js';
import { table } from './table.js';

test('columns are aligned under their headings', () => {
  expect(table([{ flow: 'tips', latest: null }], 'none')).toBe('flow  latest\ntips  -');
  expect(table([], 'none')).toBe('none');
});

test('control characters of texts never reach the terminal, and a row is one line', () => {
  expect(table([{ name: 'a\u001b[31m\nb\u009b' }], 'none')).toBe('name\na\\u001b[31m\\u000ab\\u009b');
  expect(plainText('user a\u001b[2J\nflows')).toBe('user a\\u001b[2J\nflows');
});
