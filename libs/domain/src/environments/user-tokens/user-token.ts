import type { CurrentSigner } from './current-signer.js';

/** What a signer vouches for (V3). */
export interface UserToken {
  readonly signer: CurrentSigner;
  /** The identifier of the user. */
  readonly user: string;
  /** Identifiers of the groups that may be asked for. */
  readonly groups: readonly string[];
  /** Whether `force=true` is allowed. */
  readonly mayForce: boolean;
  /** When it is refused, in milliseconds since 1970 by the clock of the process; the leeway is in it. */
  readonly refusedAt: number;
}

/** What operators count (V5). */
export type TokenOutcome = 'valid' | 'missing' | 'expired' | 'invalid' | 'other_user' | 'forbidden';

/** Why a token is refused; the reason is a sentence for whoever sent it, and repeats nothing of the token. */
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

export const isProblem = (token: UserToken | TokenProblem): token is TokenProblem => 'outcome' in token;
