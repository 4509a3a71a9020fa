import { invalidRequest } from '@waymark/domain/database/errors';

/** Query parameters by name: a list where a name is given more than once. */
export type Query = Readonly<Record<string, string | string[]>>;

/** Each takes time to read, and real queries have far fewer. */
const MOST_PARAMETERS = 1_000;

const NONE: Query = Object.freeze(Object.create(null) as Query);
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads the query of a request target (W8). With `literal` a `+` is a plus and a `%` that begins no
 * escape stands for itself, as the SDKs send them; otherwise form decoding applies. Throws
 * `request.invalid` for what cannot be decoded.
 */
export function parseQuery(target: string, { literal }: { literal: boolean }): Query {
  const start = target.indexOf('?');
  if (start === -1 || start === target.length - 1) return NONE;
  const query = Object.create(null) as Record<string, string | string[]>;
  const text = target.slice(start + 1).split('#', 1)[0]!;
  const pairs = text.split('&', MOST_PARAMETERS + 1);
  if (pairs.length > MOST_PARAMETERS)
    throw invalidRequest(`the query has more than ${MOST_PARAMETERS} parameters`);
  for (const pair of pairs) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals === -1 ? pair : pair.slice(0, equals), literal);
    const value = equals === -1 ? '' : decode(pair.slice(equals + 1), literal, name);
    add(query, name, value);
  }
  return query;
}

/**
 * Onto the list that is there: copying it each time would make a query of 8,000 equal names take
 * seconds (R13).
 */
function add(query: Record<string, string | string[]>, name: string, value: string): void {
  const before = query[name];
  if (before === undefined) query[name] = value;
  else if (typeof before === 'string') query[name] = [before, value];
  else before.push(value);
}

function decode(text: string, literal: boolean, name?: string): string {
  const spaced = literal ? text : text.replaceAll('+', ' ');
  if (!spaced.includes('%')) return spaced;
  const escaped = literal ? spaced.replace(/%(?![0-9A-Fa-f]{2})/g, '%25') : spaced;
  try {
    return utf8.decode(bytesOf(escaped));
  } catch {
    const where =
      name === undefined ? 'a query parameter' : `the query parameter ${JSON.stringify(name)}`;
    const allowed =
      'every % has to be followed by two hexadecimal digits and the bytes have to be UTF-8';
    throw invalidRequest(`${where} cannot be decoded: ${allowed}`);
  }
}

function bytesOf(escaped: string): Buffer {
  if (/%(?![0-9A-Fa-f]{2})/.test(escaped)) throw new RangeError('a broken escape');
  const latin1 = escaped.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  );
  return Buffer.from(latin1, 'latin1');
}

/** Reads one value of a query; a name given twice where one value is meant is refused (W8). */
export function findOne(query: Query, name: string): string | undefined {
  const value = query[name];
  if (value === undefined || typeof value === 'string') return value;
  throw invalidRequest(
    `the query parameter ${name} is given ${value.length} times, it has to be given once`,
  );
}

/** `true` or `false`; undefined where it is not given (B4). */
export function findFlag(query: Query, name: string): boolean | undefined {
  const text = findOne(query, name);
  if (text === undefined || text === 'true' || text === 'false') return text && text === 'true';
  throw invalidRequest(`the query parameter ${name} has to be true or false`);
}
