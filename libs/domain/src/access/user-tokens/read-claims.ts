import type { JWTPayload } from 'jose';
import {
  type CurrentSigner,
  LEEWAY_MS,
  LONGEST_LIFE_MS,
  type TokenProblem,
  type UserToken,
} from './user-token.js';

/**
 * The claims of a token whose signature and expiry have held, or the first of them that is refused
 * (V3).
 */
export function readClaims(
  { exp, aud, sub, groups, force }: JWTPayload,
  signer: CurrentSigner,
  environment: string,
  now: number,
): UserToken | TokenProblem {
  const refusedAt = exp! * 1_000 + LEEWAY_MS;
  if (refusedAt > now + LONGEST_LIFE_MS + 2 * LEEWAY_MS)
    return invalid('"exp" is more than 30 days ahead');
  if (![aud].flat().includes(environment))
    return invalid(`"aud" has to be the environment of the key, "${environment}"`);
  if (typeof sub !== 'string' || sub === '')
    return invalid('"sub" has to be the identifier of the user, a string');
  if (!isTexts(groups)) return invalid('"groups" has to be a list of strings, or absent');
  if (typeof (force ?? false) !== 'boolean')
    return invalid('"force" has to be true or false, or absent');
  return {
    signer,
    user: sub,
    groups: (groups as string[] | undefined) ?? [],
    mayForce: force === true,
    refusedAt,
  };
}

const invalid = (reason: string): TokenProblem => ({
  outcome: 'invalid',
  reason: `of its claims, ${reason}`,
});

const isTexts = (value: unknown): boolean =>
  value === undefined || (Array.isArray(value) && value.every((item) => typeof item === 'string'));
