import { expect, test } from '@jest/globals';
import { personOf } from './person-of.js';

test('a person has the claims of ID token and userinfo, in lower case (T3)', () => {
  const person = personOf({ sub: '1', groups: ['Product'] }, { sub: '1', email: 'Ann@Example.com', groups: ['Staff'] });
  expect(person).toEqual({ name: 'ann@example.com', email: 'ann@example.com', groups: ['product', 'staff'] });
});

test.each([false, 'false'])('an address whose verification is %p is none, whichever of the two says so (T3)', (doubt) => {
  const idToken = { sub: '1', email: 'ann@example.com', email_verified: doubt };
  expect(personOf(idToken, {})).toEqual({ name: '1', groups: [] });
  expect(personOf(idToken, { email: 'ann@example.com', email_verified: true })).not.toHaveProperty('email');
  expect(personOf({ sub: '1' }, idToken)).not.toHaveProperty('email');
});
