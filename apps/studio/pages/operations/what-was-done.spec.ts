import { expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { whatWasDone } from './what-was-done.js';

const domain = path.resolve(import.meta.dirname, '../../../../libs/domain/src');

/** Every action that the domain writes into the log; those of one user's state are named by their intent. */
function recordedActions(): string[] {
  const files = readdirSync(domain, { recursive: true, encoding: 'utf8' }).filter((file) => /(?<!spec)\.ts$/.test(file));
  const texts = files.map((file) => readFileSync(path.join(domain, file), 'utf8')).join('\n');
  const written = [...texts.matchAll(/action: '(\w+\.[\w-]+)'/g)].map(([, action]) => action!);
  return [...written, ...['start', 'reset', 'stop', 'finish'].map((intent) => `state.${intent}`)];
}

test('the log tells every change in words (T11)', () => {
  const actions = recordedActions();
  expect(actions).toContain('flow.apply');
  expect(actions.filter((action) => whatWasDone(action) === action)).toEqual([]);
});
