/** How many accepted commands of a state are remembered (B11). */
const REMEMBERED = 32;

/**
 * The keys after one more accepted command, oldest first; a command without a key counts as one and
 * is written as ''. Leading empty ones mean nothing and are left out, so that states of clients
 * without keys carry none (B11).
 */
export function rememberKey(keys: readonly string[], key: string | undefined): readonly string[] {
  if (keys.length === 0 && key === undefined) return keys;
  const recent = [...keys, key ?? ''].slice(-REMEMBERED);
  const first = recent.findIndex((known) => known !== '');
  return first < 0 ? [] : recent.slice(first);
}

/** Whether the command was accepted before, whatever it was (B11). */
export function isKnownKey(keys: readonly string[], key: string | undefined): boolean {
  return key !== undefined && keys.includes(key);
}
