import { expect, test } from '@jest/globals';
import { personOf as personOfClaims } from './person-of.js';

const matters = () => true;
const personOf = (idToken: object, userinfo: object, requireVerifiedEmail = false) =>
  personOfClaims({ ...idToken }, { ...userinfo }, { matters, requireVerifiedEmail });

test('a person has the claims of ID token and userinfo, in lower case (T3)', () => {
  const person = personOf(
    { sub: '1', groups: ['Product'] },
    { sub: '1', email: 'Ann@Example.com', groups: ['Staff'] },
  );
  expect(person).toEqual({
    name: 'ann@example.com',
    email: 'ann@example.com',
    groups: ['product', 'staff'],
  });
});

test.each([false, 'false'])(
  'an address whose verification is %p is none, whichever of the two says so (T3)',
  (doubt) => {
    const idToken = { sub: '1', email: 'ann@example.com', email_verified: doubt };
    expect(personOf(idToken, {})).toEqual({ name: '1', groups: [] });
    expect(
      personOf(idToken, { email: 'ann@example.com', email_verified: true }),
    ).not.toHaveProperty('email');
    expect(personOf({ sub: '1' }, idToken)).not.toHaveProperty('email');
  },
);

test('an address of which nothing is said counts, unless verification is required (T3)', () => {
  const [ann, bob] = [{ email: 'ann@example.com' }, { email: 'bob@example.com' }];
  const [silent, verified] = [{ sub: '1' }, { sub: '1', email_verified: true }];
  expect(personOf({ ...silent, ...ann }, {})).toHaveProperty('email', ann.email);
  expect(personOf({ ...silent, ...ann }, {}, true)).toEqual({ name: '1', groups: [] });
  for (const said of [true, 'true'])
    expect(personOf(silent, { ...ann, email_verified: said }, true)).toMatchObject(ann);
  expect(personOf({ ...verified, ...ann }, ann, true)).toMatchObject(ann);
  expect(personOf({ ...verified, ...bob }, ann, true)).not.toHaveProperty('email');
});

test('nobody is named as they call themselves: without an address it is the id of the provider (T3, I7)', () => {
  const chosen = { preferred_username: 'bob@example.com', name: 'Bob' };
  expect(personOf({ sub: '42', ...chosen }, chosen)).toEqual({ name: '42', groups: [] });
});

test('of the groups only those are kept that matter, each once (T3)', () => {
  const groups = Array.from({ length: 500 }, (_, index) => `Team ${index}`);
  const person = personOfClaims(
    { sub: '1', groups },
    { groups },
    { matters: (group) => group === 'team 7', requireVerifiedEmail: false },
  );
  expect(person).toEqual({ name: '1', groups: ['team 7'] });
});

test.each(['', ' ', 'a\0', 'a\u001b[2J', 'x'.repeat(257)])(
  'nobody is named %j, which the audit log could not keep (T3, I7)',
  (name) => {
    expect(personOf({ sub: name }, {}).name).toBe('somebody without a name');
    expect(personOf({ sub: '1', email: name }, {})).toEqual({ name: '1', groups: [] });
  },
);
