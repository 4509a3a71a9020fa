import {
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  jwtVerify,
  type ProtectedHeaderParameters,
} from 'jose';
import type { RingEnvironment } from './ring-environment.js';
import {
  type CurrentSigner,
  LEEWAY_MS,
  LONGEST_TOKEN,
  type TokenProblem,
  type UserToken,
} from './user-token.js';
import { readClaims } from './read-claims.js';

/** Three parts, each of the alphabet of base64url, without padding. */
const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

const invalid = (reason: string): TokenProblem => ({ outcome: 'invalid', reason });
const UNREADABLE = invalid(
  'it is not a JWT in compact form: three parts of base64url without padding, joined by dots',
);
const TOO_LONG = invalid(`it is longer than ${LONGEST_TOKEN} characters`);
const CRITICAL = invalid('its header names extensions in "crit", and none is supported');
const UNKNOWN_SIGNER = invalid('the "kid" of its header is no signer of this environment');
const WRONG_SIGNATURE = invalid('its signature is not that of the signer it names');
const EXPIRED: TokenProblem = { outcome: 'expired', reason: 'it has expired' };

/**
 * What a token says, once its signature and then its claims have held (V3, V6). `now` is in
 * milliseconds since 1970. Never throws, and never fetches what a token names.
 */
export async function verifyToken(
  token: string,
  environment: RingEnvironment,
  now: number,
): Promise<UserToken | TokenProblem> {
  if (token.length > LONGEST_TOKEN) return TOO_LONG;
  const header = COMPACT.test(token) && isCanonical(token) ? readHeader(token) : undefined;
  if (!header) return UNREADABLE;
  if (header.crit !== undefined) return CRITICAL;
  const signer = typeof header.kid === 'string' ? environment.signers.get(header.kid) : undefined;
  if (!signer) return UNKNOWN_SIGNER;
  if (!fits(header.alg, signer))
    return invalid(`its "alg" is not ${signer.algorithm}, as its signer's key demands`);
  const held = await verifySignature(token, header.alg, signer, now);
  return 'payload' in held ? readClaims(held.payload, signer, environment.name, now) : held;
}

/** EdDSA has two names since RFC 9864. */
const fits = (alg: string | undefined, { algorithm }: CurrentSigner): alg is string =>
  alg === algorithm || (alg === 'Ed25519' && algorithm === 'EdDSA');

/** One token has one text: the last character of a part may hold bits that decoders ignore. */
const isCanonical = (token: string): boolean =>
  token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);

function readHeader(token: string): ProtectedHeaderParameters | undefined {
  try {
    return decodeProtectedHeader(token);
  } catch {
    return undefined;
  }
}

async function verifySignature(
  token: string,
  alg: string,
  { key }: CurrentSigner,
  now: number,
): Promise<{ payload: JWTPayload } | TokenProblem> {
  const rules = {
    algorithms: [alg],
    clockTolerance: LEEWAY_MS / 1_000,
    currentDate: new Date(now),
    requiredClaims: ['exp'],
  };
  try {
    return { payload: (await jwtVerify(token, key, rules)).payload };
  } catch (error) {
    if (error instanceof errors.JWTExpired) return EXPIRED;
    if (error instanceof errors.JWTClaimValidationFailed)
      return invalid(`of its claims, ${CLAIM_WORDS[error.claim] ?? error.claim}`);
    return error instanceof errors.JWSSignatureVerificationFailed ? WRONG_SIGNATURE : UNREADABLE;
  }
}

const CLAIM_WORDS: Readonly<Record<string, string>> = {
  exp: '"exp" has to be a number of seconds since 1970',
  nbf: '"nbf" has to be a number of seconds since 1970 that has passed',
  iat: '"iat" has to be a number of seconds since 1970',
};
