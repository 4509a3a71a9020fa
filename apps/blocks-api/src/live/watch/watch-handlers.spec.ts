import { expect, test } from '@jest/globals';
import { parseWatchRequest } from './watch-handlers.js';

test.each([
  [['onboarding', 3], 3],
  [['onboarding', 0], 0],
  [['onboarding', '12'], 12],
  [['onboarding', 'latest'], 'latest'],
  [['onboarding', 'uncommitted', 'more'], 'uncommitted'],
])('%j asks for a version (L3, B1)', (payload, asked) => {
  expect(parseWatchRequest(payload)).toEqual({ id: 'onboarding', asked });
});

test.each([
  [undefined],
  ['onboarding'],
  [[]],
  [['', 1]],
  [['x'.repeat(258), 1]],
  [[7, 1]],
  [['onboarding', -1]],
  [['onboarding', 1.5]],
  [['onboarding', Number.NaN]],
  [['onboarding', '01']],
  [['onboarding', ' 1']],
  [['onboarding', 'newest']],
  [['onboarding', {}]],
])('%j asks for nothing (L3)', (payload) => {
  expect(parseWatchRequest(payload)).toBeNull();
});
