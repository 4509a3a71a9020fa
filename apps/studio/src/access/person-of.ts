import type { Person } from './person.js';

type Claims = Readonly<Record<string, unknown>>;

/** The person of an ID token and what the provider says besides. An address that is not verified does not count (T3). */
export function personOf(idToken: Claims, userinfo: Claims): Person {
  const claims = { ...idToken, ...userinfo };
  // Whichever of the two says so: an address must not be believed because the other one keeps silent.
  const isDoubted = [idToken, userinfo].some(({ email_verified }) => email_verified === false || email_verified === 'false');
  const email = typeof claims['email'] === 'string' && !isDoubted ? claims['email'].toLowerCase() : undefined;
  const groups = [idToken['groups'], userinfo['groups']].flat().filter((group) => typeof group === 'string');
  const named = [email, claims['preferred_username'], claims['name'], claims['sub']].find((name) => typeof name === 'string');
  return { name: String(named), ...(email && { email }), groups: groups.map((group) => group.toLowerCase()) };
}
