import type { KeyObject } from 'node:crypto';
import type { SigningAlgorithm } from '../signers/public-key.js';

/** A signer whose tokens are taken now. */
export interface CurrentSigner {
  /** Another one after it was removed and added again. */
  readonly id: string;
  readonly environmentId: string;
  readonly name: string;
  readonly key: KeyObject;
  readonly algorithm: SigningAlgorithm;
}

/** What a signer vouches for (V3). */
export interface UserToken {
  readonly signer: CurrentSigner;
  /** The identifier of the user. */
  readonly user: string;
  /** Identifiers of the groups that may be named. */
  readonly groups: readonly string[];
  /** Whether `force=true` is allowed. */
  readonly mayForce: boolean;
  /**
   * When it is refused, in milliseconds since 1970 by the clock of the process; the leeway is in
   * it.
   */
  readonly refusedAt: number;
}

/** What operators count (V5). */
export type TokenOutcome = 'valid' | 'missing' | 'expired' | 'invalid' | 'other_user' | 'forbidden';

/**
 * Why a token is refused; the reason is a sentence for the sender and repeats nothing of the token.
 */
export interface TokenProblem {
  readonly outcome: Exclude<TokenOutcome, 'valid'>;
  readonly reason: string;
}

/** The longest token, in characters (V3). */
export const LONGEST_TOKEN = 4_096;
/** How far clocks may differ (V3). */
export const LEEWAY_MS = 30_000;
/** How far ahead a token may expire (V3). */
export const LONGEST_LIFE_MS = 30 * 24 * 3_600_000;

export const isProblem = (token: UserToken | TokenProblem): token is TokenProblem =>
  'outcome' in token;

/** What a request is about, as far as a token has a say in it. */
export interface RequestedAccess {
  readonly user: string;
  readonly group?: string;
  /** Whether the request has `force=true`. */
  readonly force?: boolean;
}

const OTHER_USER: TokenProblem = {
  outcome: 'other_user',
  reason: 'its claim "sub" is another user than the one that is asked for',
};
const GROUP: TokenProblem = {
  outcome: 'forbidden',
  reason: 'its claim "groups" does not name the group that is asked for',
};
const FORCE: TokenProblem = {
  outcome: 'forbidden',
  reason: 'force=true needs its claim "force" to be true',
};

/** Whether the token is one for this request: first its user, then its groups, then force (V6). */
export function findClaimProblem(
  token: UserToken,
  { user, group, force }: RequestedAccess,
): TokenProblem | undefined {
  if (token.user !== user) return OTHER_USER;
  if (group !== undefined && !token.groups.includes(group)) return GROUP;
  return force && !token.mayForce ? FORCE : undefined;
}
