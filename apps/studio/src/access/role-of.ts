import type { StudioSettings } from '../config/index.js';
import type { Person, Role } from './person.js';

type Lists = Pick<StudioSettings, 'access' | 'readOnly' | 'editors' | 'viewers'>;

/** Worked out for every request, so that other lists and a restart are all it takes to shut somebody out (T3). */
export function roleOf(person: Person, { access, readOnly, editors, viewers }: Lists): Role {
  const isEditor = access === 'token' || isAmong(person, editors);
  if (isEditor) return readOnly ? 'viewer' : 'editor';
  return isAmong(person, viewers) ? 'viewer' : 'nobody';
}

function isAmong({ email, groups = [] }: Person, list: readonly string[] = []): boolean {
  const domain = email?.slice(email.lastIndexOf('@'));
  const names = [...(email ? [email, `*${domain}`] : []), ...groups.map((group) => `group:${group}`)];
  return names.some((name) => list.includes(name));
}
