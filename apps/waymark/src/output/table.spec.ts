import { expect, test } from '@jest/globals';
import { plainText } from './plain-text.js';
import { table } from './table.js';

test('columns are aligned under their headings', () => {
  expect(table([{ flow: 'tips', latest: null }], 'none')).toBe('flow  latest\ntips  -');
  expect(table([], 'none')).toBe('none');
});

test('the widest columns are cut to the width of the terminal, so that a row stays a line', () => {
  const rows = [
    { identifier: 'a'.repeat(512), groups: 3, note: 'b'.repeat(40) },
    { identifier: 'ada', groups: 12, note: 'short' },
  ];
  const lines = table(rows, 'none', 60).split('\n');
  expect(lines[1]).toBe(`${'a'.repeat(24)}…  3       ${'b'.repeat(24)}…`);
  expect(lines[2]).toBe(`${'ada'.padEnd(25)}  12      short`);
  expect(table(rows, 'none', undefined).split('\n')[1]).toHaveLength(512 + 2 + 6 + 2 + 40);
  expect(table(rows, 'none', 5).split('\n')[1]).toBe(
    `${'a'.repeat(11)}…  3       ${'b'.repeat(11)}…`,
  );
});

test('a character that takes two units is not cut in half', () => {
  expect(table([{ name: '😀'.repeat(20) }], 'none', 14).split('\n')[1]).toBe(`${'😀'.repeat(6)}…`);
});

test('control characters of texts never reach the terminal, and a row is one line', () => {
  expect(table([{ name: 'a\u001b[31m\nb\u009b' }], 'none')).toBe(
    'name\na\\u001b[31m\\u000ab\\u009b',
  );
  expect(plainText('user a\u001b[2J\nflows')).toBe('user a\\u001b[2J\nflows');
});

test('nor do those that turn the direction of what stands behind them', () => {
  expect(table([{ name: 'a\u202eb', next: 'c\u2066' }], 'none')).toBe(
    'name      next\na\\u202eb  c\\u2066',
  );
  expect(plainText('user \u202eada')).toBe('user \\u202eada');
});

test('a table may have more rows than a function takes arguments', () => {
  const rows = Array.from({ length: 300_000 }, () => ({ a: 'x' }));
  expect(table(rows, '').length).toBe(300_000 * 2 + 1);
});
