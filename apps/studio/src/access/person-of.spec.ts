import { expect, test } from '@jest/globals';
import { personOf as personOfClaims } from './person-of.js';

const everything = () => true;
const personOf = (idToken: object, userinfo: object) => personOfClaims({ ...idToken }, { ...userinfo }, everything);

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

test('of the groups only those are kept that matter, each once (T3)', () => {
  const groups = Array.from({ length: 500 }, (_, index) => `Team ${index}`);
  const person = personOfClaims({ sub: '1', groups }, { groups }, (group) => group === 'team 7');
  expect(person).toEqual({ name: '1', groups: ['team 7'] });
});

test.each(['', ' ', 'a\0', 'a\u001b[2J', 'x'.repeat(257)])(
  'nobody is named %j, which the audit log could not keep (T3, I7)',
  (name) => {
    expect(personOf({ sub: '1', preferred_username: name, name: 'Ann' }, {}).name).toBe('Ann');
    expect(personOf({ sub: '1', email: name }, {})).toEqual({ name: '1', groups: [] });
  },
);
