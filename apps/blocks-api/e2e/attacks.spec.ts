import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { ATTACKS, FORCE } from './attacks.js';

const TOKENS = 'libs/domain/src/access/user-tokens';
/** Alone, or of one claim by its name. */
const REASON = /(?:invalid\(|reason: |^ {2}\w+: (?='"))\s*(?:'([^'\n]*)'|`([^`]*)`)/gm;

/** The sentences with which the checks of tokens refuse one. */
const reasons = readdirSync(TOKENS)
  .filter((file) => !file.includes('spec'))
  .flatMap((file) => [...readFileSync(path.join(TOKENS, file), 'utf8').matchAll(REASON)])
  .map(([, plain, template]) => plain ?? template!.replace('${LONGEST_TOKEN}', '4096'))
  // What these two put the reason of a claim behind.
  .filter((reason) => !reason.startsWith('of its claims, ${'));

test('there is an attack for every reason to refuse a token (V10)', () => {
  expect(reasons.length).toBeGreaterThan(10);
  const attacks = [...ATTACKS, FORCE];
  expect(reasons.filter((reason) => !attacks.some(({ says }) => says.test(reason)))).toEqual([]);
});
