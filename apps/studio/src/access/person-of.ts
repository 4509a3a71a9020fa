import type { Person } from './person.js';

type Claims = Readonly<Record<string, unknown>>;

/** As long as the audit log keeps them. */
const LONGEST_NAME = 256;

/**
 * The person of an ID token and what the provider says besides. An address that is not verified does not count (T3). Browsers
 * drop a cookie of more than 4 KiB without a word, so that of the groups only those stay that matter.
 */
export function personOf(idToken: Claims, userinfo: Claims, matters: (group: string) => boolean): Person {
  const claims = { ...idToken, ...userinfo };
  // Whichever of the two says so: an address must not be believed because the other one keeps silent.
  const isDoubted = [idToken, userinfo].some(({ email_verified }) => email_verified === false || email_verified === 'false');
  const email = isName(claims['email']) && !isDoubted ? claims['email'].toLowerCase() : undefined;
  const groups = [idToken['groups'], userinfo['groups']].flat().filter((group) => typeof group === 'string');
  const named = [email, claims['preferred_username'], claims['name'], claims['sub']].find(isName);
  const kept = new Set(groups.map((group) => group.toLowerCase()).filter(matters));
  return { name: named ?? 'somebody without a name', ...(email && { email }), groups: [...kept] };
}

/** Whether the audit log can name somebody so. */
const isName = (text: unknown): text is string =>
  typeof text === 'string' && text.trim() !== '' && text.length <= LONGEST_NAME && !/\p{Cc}/u.test(text);
