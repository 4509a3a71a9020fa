import { expect, test } from '@jest/globals';
import { sentence } from './call.js';

test('a sentence begins with a capital and ends, and code at its beginning stays as it is (T16)', () => {
  expect(sentence('the flow is archived')).toBe('The flow is archived.');
  expect(sentence('user.properties.plan == "pro" is false')).toBe(
    'user.properties.plan == "pro" is false.',
  );
  expect(sentence('includes(user.properties.roles, "Admin") is true')).toMatch(/^includes/);
});
