import { createHash, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { invalidRequest } from '../../database/errors/index.js';

/** How a signer signs; its key alone decides, never what a token says (V3). */
export type SigningAlgorithm = 'EdDSA' | 'ES256' | 'RS256';

const RSA_BITS = { least: 2048, most: 8192 };
const ALLOWED =
  'the public key of a signer is Ed25519, P-256 or RSA of 2048 to 8192 bits, as PEM or JWK';
const PRIVATE =
  'this is a private key, which only its owner may have: give the public key that belongs to it';
/** Members of a JWK that only a private or a shared key has. */
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

/**
 * The public key of a PEM or JWK text. Throws `request.invalid` for private keys, which Node would
 * turn into their public half without an error, and for keys of other algorithms (V2).
 */
export function parsePublicKey(text: string): KeyObject {
  const trimmed = text.trim();
  const key = trimmed.startsWith('{') ? parseJwk(trimmed) : parsePem(trimmed);
  algorithmOf(key);
  return key;
}

/** The one algorithm that fits a key. Throws `request.invalid` where there is none. */
export function algorithmOf({
  asymmetricKeyType: type,
  asymmetricKeyDetails: details,
}: KeyObject): SigningAlgorithm {
  if (type === 'ed25519') return 'EdDSA';
  if (type === 'ec' && details?.namedCurve === 'prime256v1') return 'ES256';
  const { modulusLength = 0, publicExponent = 0n } = details ?? {};
  const isStrong =
    modulusLength >= RSA_BITS.least && modulusLength <= RSA_BITS.most && publicExponent > 2n;
  if (type === 'rsa' && isStrong) return 'RS256';
  const curve = details?.namedCurve === undefined ? '' : ` ${details.namedCurve}`;
  throw invalidRequest(
    `${ALLOWED}; this one is ${type}${curve}${modulusLength > 0 ? ` of ${modulusLength} bits` : ''}`,
  );
}

/** The key as it is stored. */
export const toPem = (key: KeyObject): string =>
  key.export({ type: 'spki', format: 'pem' }).toString();

/** A fingerprint to compare keys by: SHA-256 of the key's DER form. */
export const fingerprintOf = (key: KeyObject): string =>
  createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('base64url');

function parsePem(text: string): KeyObject {
  const labels = [...text.matchAll(/-----BEGIN ([^-]*)-----/g)].map((match) => match[1]!);
  if (labels.some((label) => label.includes('PRIVATE'))) throw invalidRequest(PRIVATE);
  const [label, ...others] = labels;
  if (others.length > 0 || (label !== 'PUBLIC KEY' && label !== 'RSA PUBLIC KEY'))
    throw invalidRequest(`${ALLOWED}; this text is not one PEM block of a PUBLIC KEY`);
  return read(() => createPublicKey({ key: text, format: 'pem' }));
}

function parseJwk(text: string): KeyObject {
  const jwk = read(() => JSON.parse(text) as JsonWebKey);
  if (PRIVATE_MEMBERS.some((member) => member in jwk)) throw invalidRequest(PRIVATE);
  if ('keys' in jwk)
    throw invalidRequest('this is a set of keys (JWKS): add each of them as a signer of its own');
  return read(() => createPublicKey({ key: jwk, format: 'jwk' }));
}

function read<Value>(parse: () => Value): Value {
  try {
    return parse();
  } catch (cause) {
    throw invalidRequest(`${ALLOWED}; this one cannot be read`, { cause });
  }
}
