import { administer } from '../postgres/index.js';

/**
 * What no log line of a service may contain: keys, tokens, secrets, and addresses that name a user
 * (W2, V4).
 */
const SECRETS: Readonly<Record<string, RegExp>> = {
  'an API key': /\b(?:users|blocks)-[\w-]{20,}/,
  'a token': /\beyJ[\w-]{8,}\.[\w-]+\./,
  'a secret of webhooks': /\bwhsec_[\w+/=]{16,}/,
  'an address with a query': /[?&](?:endU|u)serIdentifier=|[?&](?:group|transitions|version)=/,
  'a path with a user': /\/identify\/(?!(?:group|batch|segment)\b|:)[^"\s]/,
};

/** Shorter names are words of the log as well. */
const SHORTEST_NAME = 3;
/** The most users that are looked for; tests with thousands give them similar names. */
const MOST_NAMES = 2_000;
const NAMES = `(SELECT identifier FROM users LIMIT ${MOST_NAMES}) UNION (SELECT identifier FROM groups LIMIT ${MOST_NAMES})`;

/** The lines of a log that tell what they must not, each with what that is. */
export function findLeaks(
  lines: readonly string[],
  names: ReadonlySet<string> = new Set(),
): string[] {
  return lines.flatMap((line) => {
    const secret = Object.entries(SECRETS).find(([, pattern]) => pattern.test(line));
    const told =
      secret?.[0] ??
      (wordsOf(line).some((word) => names.has(word)) ? 'a user or group' : undefined);
    return told === undefined ? [] : [`${told}: ${line}`];
  });
}

/**
 * Rejects if the output of an ended process names a user in its database, except those that it was
 * asked about, or contains a secret.
 */
export async function expectNoLeaks(
  lines: readonly string[],
  databaseUrl: string | undefined,
  asked: readonly string[] = [],
): Promise<void> {
  const names = await loadNames(databaseUrl);
  for (const word of asked.flatMap(wordsOf)) names.delete(word);
  const leaks = findLeaks(lines, names);
  if (leaks.length > 0)
    throw new Error(`what a process said holds\n${leaks.slice(0, 10).join('\n')}`);
}

/** The words of a line as they may name somebody: mail addresses and the like in one piece. */
const wordsOf = (line: string): string[] => line.split(/[^\p{L}\p{N}@._-]+/u);

/**
 * Everybody in the database of a service; nobody where it is gone already, or was never reached.
 */
async function loadNames(url: string | undefined): Promise<Set<string>> {
  if (url === undefined) return new Set();
  try {
    const rows = await administer(url, (client) => client.query<{ identifier: string }>(NAMES));
    return new Set(
      rows.rows.map(({ identifier }) => identifier).filter((name) => name.length >= SHORTEST_NAME),
    );
  } catch {
    return new Set();
  }
}
