import { hash } from 'node:crypto';
import { RecentlyUsed } from '../../targeting/values/recently-used.js';
import type { RingEnvironment } from './ring-environment.js';
import { isProblem, type TokenProblem, type UserToken } from './user-token.js';
import { verifyToken } from './verify-token.js';

/**
 * Characters of the remembered tokens: what stays of a token in memory is at most about as long as
 * the token.
 */
const CAPACITY = 64 * 1024 * 1024;
/** What each costs beside its claims. */
const OVERHEAD = 400;

const EXPIRED: TokenProblem = { outcome: 'expired', reason: 'it has expired' };

/**
 * Tokens that were verified, by hash, so that a page's next request costs one hash and one look
 * into a map (V8). Those that were refused are not kept: they must not push out good ones.
 */
export class VerifiedTokens {
  private readonly kept = new RecentlyUsed<UserToken>(CAPACITY);
  /** A page sends its first requests at once. */
  private readonly underWay = new Map<string, Promise<UserToken | TokenProblem>>();

  constructor(private readonly now: () => number) {}

  /** A token that was verified before and whose signer is still there; undefined says nothing. */
  find(token: string, environment: RingEnvironment): UserToken | TokenProblem | undefined {
    const known = this.kept.find(keyOf(token, environment));
    return known && this.check(known, environment);
  }

  /** Why a cached token is no longer valid: it has expired, or its signer was removed. */
  check(token: UserToken, environment: RingEnvironment): UserToken | TokenProblem | undefined {
    if (environment.signers.get(token.signer.name) !== token.signer) return undefined;
    return token.refusedAt > this.now() ? token : EXPIRED;
  }

  async verify(token: string, environment: RingEnvironment): Promise<UserToken | TokenProblem> {
    const key = keyOf(token, environment);
    const running = this.underWay.get(key);
    if (running) return running;
    const verifying = verifyToken(token, environment, this.now()).finally(() =>
      this.underWay.delete(key),
    );
    this.underWay.set(key, verifying);
    const verified = await verifying;
    if (!isProblem(verified)) this.kept.set(key, verified, OVERHEAD + token.length);
    return verified;
  }
}

/** A token may name several environments; what holds in one says nothing of another. */
const keyOf = (token: string, { id }: RingEnvironment): string =>
  hash('sha256', `${id} ${token}`, 'base64');
