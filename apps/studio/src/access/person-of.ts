import type { Person } from './person.js';

type Claims = Readonly<Record<string, unknown>>;

/** As long as the audit log keeps them. */
const LONGEST_NAME = 256;

interface WhoCounts {
  /**
   * Browsers drop a cookie of more than 4 KiB without a word, so only the groups stay that matter.
   */
  readonly matters: (group: string) => boolean;
  /** Otherwise an address counts unless the provider says that it is unverified. */
  readonly requireVerifiedEmail: boolean;
}

/**
 * The person of an ID token and of the provider's user info. An address that is not verified does
 * not count (T3).
 */
export function personOf(
  idToken: Claims,
  userinfo: Claims,
  { matters, requireVerifiedEmail }: WhoCounts,
): Person {
  const claims = { ...idToken, ...userinfo };
  // Whichever of the two says so: an address must not be believed because the other one keeps
  // silent.
  const isDoubted = [idToken, userinfo].some(
    ({ email_verified }) => email_verified === false || email_verified === 'false',
  );
  // Said of this very address, since the two may name different ones.
  const isVerified = [idToken, userinfo].some(
    ({ email, email_verified: said }) =>
      email === claims['email'] && (said === true || said === 'true'),
  );
  const counts = !isDoubted && (isVerified || !requireVerifiedEmail);
  const email = isName(claims['email']) && counts ? claims['email'].toLowerCase() : undefined;
  const groups = [idToken['groups'], userinfo['groups']]
    .flat()
    .filter((group) => typeof group === 'string');
  // People choose their other names themselves: with one of those an editor could sign as another
  // person.
  const named = [email, claims['sub']].find(isName);
  const kept = new Set(groups.map((group) => group.toLowerCase()).filter(matters));
  return { name: named ?? 'somebody without a name', ...(email && { email }), groups: [...kept] };
}

/** Whether the audit log can use this name. */
const isName = (text: unknown): text is string =>
  typeof text === 'string' &&
  text.trim() !== '' &&
  text.length <= LONGEST_NAME &&
  !/\p{Cc}/u.test(text);
