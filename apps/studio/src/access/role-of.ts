import type { StudioSettings } from '../config/settings.js';
import type { Person, Role } from './person.js';

type Lists = Pick<StudioSettings, 'access' | 'readOnly' | 'editors' | 'viewers'>;

const GROUP = 'group:';

/**
 * Worked out for every request, so that a person is shut out by changed lists and a restart (T3).
 */
export function roleOf(person: Person, { access, readOnly, editors, viewers }: Lists): Role {
  const isEditor = access === 'token' || isAmong(person, editors);
  if (isEditor) return readOnly ? 'viewer' : 'editor';
  return isAmong(person, viewers) ? 'viewer' : 'nobody';
}

/**
 * Whether one of the lists names the group; of the others, which may be hundreds, a session keeps
 * none.
 */
export const isListed = (
  group: string,
  { editors = [], viewers = [] }: Pick<Lists, 'editors' | 'viewers'>,
): boolean => [...editors, ...viewers].includes(`${GROUP}${group}`);

function isAmong({ email, groups = [] }: Person, list: readonly string[] = []): boolean {
  const domain = email?.slice(email.lastIndexOf('@'));
  // An address that reads like a group is none: some providers let everybody write their own.
  const addresses = email && !email.startsWith(GROUP) ? [email, `*${domain}`] : [];
  const names = [...addresses, ...groups.map((group) => `${GROUP}${group}`)];
  return names.some((name) => list.includes(name));
}
