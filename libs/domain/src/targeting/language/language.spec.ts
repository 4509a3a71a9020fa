import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { COMPARISONS } from './expression.js';
import { FUNCTIONS } from './functions.js';

const read = (file: string): string => readFileSync(new URL(file, import.meta.url), 'utf8');
/** Bullets about the language, and the rules S29 and S30. */
const DOCS = read('../../../../../docs/flows.md');
const RULES = read('../../../../../docs/rules.md');

test('the grammar reads the comparisons that can be evaluated, and no others (S29)', () => {
  const [, signs = ''] = /^ComparisonSign .*\n {2}= @\$\((.*)\) _$/m.exec(
    read('./expression.peggy'),
  )!;
  expect(signs.split(' / ').sort()).toEqual(COMPARISONS.map((sign) => `"${sign}"`).sort());
});

test('docs/flows.md names every comparison and every function, and docs/rules.md every function (S29, S30)', () => {
  expect(DOCS).toContain(`\`${COMPARISONS.join(' ')}\``);
  for (const [name, { parameters }] of FUNCTIONS) {
    expect(DOCS).toMatch(new RegExp(`\`${name}\\(${parameters.length === 0 ? '\\)' : ''}`));
    expect(RULES).toContain(`\`${name}\``);
  }
});
