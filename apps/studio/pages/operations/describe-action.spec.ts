import { expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describeAction, describeVersions } from './describe-action.js';

const domain = path.resolve(import.meta.dirname, '../../../../libs/domain/src');

/**
 * Every action that the domain writes into the log; those of one user's state are named by their
 * intent.
 */
function recordedActions(): string[] {
  const files = readdirSync(domain, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!spec)\.ts$/.test(file),
  );
  const texts = files.map((file) => readFileSync(path.join(domain, file), 'utf8')).join('\n');
  const lines = texts.match(/\baction: .*/g) ?? [];
  const written = lines.flatMap((line) =>
    [...line.matchAll(/'([a-z]+\.[\w-]+)'/g)].map(([, action]) => action!),
  );
  return [...written, ...['start', 'reset', 'stop', 'finish'].map((intent) => `state.${intent}`)];
}

test('the log tells every change in words (T11)', () => {
  const actions = recordedActions();
  expect(actions).toContain('flow.apply');
  expect(actions.filter((action) => describeAction(action) === action)).toEqual([]);
});

test('a file that was applied and published at once is not told as saved alone (T20)', () => {
  expect(describeAction('flow.apply')).toBe('saved the draft of');
  expect(describeAction('flow.apply', true)).toBe('saved and published');
});

test('of many flows that were published at once, the log says each version once (T20)', () => {
  expect(describeVersions([])).toBe('');
  expect(describeVersions([3])).toBe(' version 3');
  expect(describeVersions(Array.from({ length: 200 }, () => 1))).toBe(' version 1 each');
  expect(describeVersions([2, 5])).toBe(' versions 2, 5');
  expect(describeVersions([4, 1, 2, 2, 3, 1])).toBe(' versions 1 to 4');
});
