import { createHmac, type KeyObject, sign } from 'node:crypto';

export interface TokenParts {
  readonly header?: unknown;
  readonly claims?: unknown;
  readonly key: KeyObject;
}

/** base64url of a text, or of a value as JSON. */
export const tokenPart = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/**
 * A user token with whatever header and claims, signed by hand: no library would sign what
 * attackers try.
 */
export function mintToken({
  header = { alg: 'EdDSA', kid: 'app' },
  claims = {},
  key,
}: TokenParts): string {
  const text = `${tokenPart(header)}.${tokenPart(claims)}`;
  return `${text}.${sign(null, Buffer.from(text), key).toString('base64url')}`;
}

/** A token that uses a text, such as a public key, as a shared secret. */
export function mintWithSecret(secret: string, header: unknown, claims: unknown): string {
  const text = `${tokenPart(header)}.${tokenPart(claims)}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}
