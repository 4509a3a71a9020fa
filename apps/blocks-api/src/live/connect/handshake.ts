import { parseLanguageRanges } from '@waymark/domain/engine';
import { isIdentifier } from '@waymark/domain/users';
import type { Socket } from 'socket.io';
import { parseWatchesText, type WatchedVersion, watchesText } from '../push/watched-version.js';

/** What a client sends with its handshake (L1). */
export interface HandshakeData {
  readonly key: string | undefined;
  readonly user: string;
  readonly group: string | undefined;
  /** A list such as Accept-Language, for all that is pushed (X2). */
  readonly languages: string | undefined;
  /** What it watched before it lost its connection (L7). */
  readonly watches: readonly WatchedVersion[];
}

type Handshake = Pick<Socket['handshake'], 'auth' | 'query' | 'headers'>;

/** Throws an Error whose message says what is wrong, for the client. */
export function parseHandshake({ auth, query, headers }: Handshake): HandshakeData {
  const key: unknown = auth['x-api-key'];
  return {
    key: typeof key === 'string' ? key : undefined,
    user: identifier('endUserIdentifier', query['endUserIdentifier']),
    group:
      query['groupIdentifier'] === undefined
        ? undefined
        : identifier('groupIdentifier', query['groupIdentifier']),
    languages: preferredLanguages(query, headers),
    watches: watchesBefore(auth),
  };
}

/** The `pid` of a socket: another one each time, with the watches it came back with. */
export const reconnectPid = (id: string, watches: readonly WatchedVersion[]): string =>
  watches.length > 0 ? `${id} ${watchesText(watches)}` : id;

function identifier(name: string, value: unknown): string {
  if (isIdentifier(value)) return value;
  throw new Error(
    `the query of the handshake has to carry ${name} once: 1 to 512 characters, no control characters`,
  );
}

/** As over HTTP: the query counts before the header, and must be well-formed (X2). */
function preferredLanguages(
  { language }: Handshake['query'],
  headers: Handshake['headers'],
): string | undefined {
  if (language === undefined) return headers['accept-language'];
  if (typeof language === 'string' && parseLanguageRanges(language).isWellFormed) return language;
  throw new Error(
    'language in the query of the handshake has to be a tag of BCP 47, such as pt-BR, or a list of these',
  );
}

/** The newest text is the `offset`; after a `ready` or an `error` only the `pid` says it. */
function watchesBefore({ offset, pid }: Handshake['auth']): WatchedVersion[] {
  const watches = parseWatchesText(offset);
  return watches.length > 0 || typeof pid !== 'string'
    ? watches
    : parseWatchesText(pid.slice(pid.indexOf(' ') + 1));
}
