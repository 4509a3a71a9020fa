import { invalidRequest } from '@waymark/domain/errors';

/** Query parameters by name: a list where a name is given more than once. */
export type Query = Readonly<Record<string, string | string[]>>;

const NONE: Query = Object.freeze(Object.create(null) as Query);
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads the query of a request target (W8). With `literal` a `+` is a plus and a `%` that begins no escape stands for
 * itself, as the SDKs send them; otherwise form decoding applies. Throws `request.invalid` for what cannot be decoded.
 */
export function parseQuery(target: string, { literal }: { literal: boolean }): Query {
  const start = target.indexOf('?');
  if (start === -1 || start === target.length - 1) return NONE;
  const query = Object.create(null) as Record<string, string | string[]>;
  const text = target.slice(start + 1).split('#', 1)[0]!;
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals === -1 ? pair : pair.slice(0, equals), literal);
    const value = equals === -1 ? '' : decode(pair.slice(equals + 1), literal, name);
    query[name] = name in query ? [query[name]!, value].flat() : value;
  }
  return query;
}

function decode(text: string, literal: boolean, name?: string): string {
  const spaced = literal ? text : text.replaceAll('+', ' ');
  if (!spaced.includes('%')) return spaced;
  const escaped = literal ? spaced.replace(/%(?![0-9A-Fa-f]{2})/g, '%25') : spaced;
  try {
    return utf8.decode(bytesOf(escaped));
  } catch {
    const where = name === undefined ? 'a query parameter' : `the query parameter ${JSON.stringify(name)}`;
    const allowed = 'every % has to be followed by two hexadecimal digits and the bytes have to be UTF-8';
    throw invalidRequest(`${where} cannot be decoded: ${allowed}`);
  }
}

function bytesOf(escaped: string): Buffer {
  if (/%(?![0-9A-Fa-f]{2})/.test(escaped)) throw new RangeError('a broken escape');
  const latin1 = escaped.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(latin1, 'latin1');
}
