import { DomainError } from '../../database/errors/index.js';
import type { KeyKind } from '../keys/api-key.js';
import type { Caller, KeyRing, RingKey } from './key-ring.js';
import {
  isProblem,
  type TokenOutcome,
  type TokenProblem,
  type UserToken,
  type RequestedAccess,
  findClaimProblem,
} from '../user-tokens/user-token.js';
import { VerifiedTokens } from '../user-tokens/verified-tokens.js';

/**
 * Is called for every request and handshake with a public key, unless its environment ignores
 * tokens (V5).
 */
type CountUserToken = (keyId: string, outcome: TokenOutcome) => void;

/** Whose state a caller may touch. */
interface AuthorizedActor {
  readonly environmentId: string;
  readonly user: string;
  readonly group?: string;
}

const MISSING: TokenProblem = { outcome: 'missing', reason: 'there is none' };
const SIGNER_GONE: TokenProblem = { outcome: 'invalid', reason: 'its signer was removed' };

/**
 * Decides what an `x-api-key` opens: the key (W1), the user's token behind it (V4, V6), and then
 * for which user. It knows nothing of HTTP: the hook of the services and the handshake of sockets
 * both call it.
 */
export class ApiKeyGuard {
  private readonly tokens = new VerifiedTokens(Date.now);

  constructor(
    private readonly keys: KeyRing,
    private readonly count: CountUserToken = () => undefined,
  ) {}

  /**
   * The caller, without waiting, if everything is already known; otherwise undefined, and
   * `authenticate` decides.
   */
  find(credential: string | undefined, kind: KeyKind): Caller | undefined {
    const { key, token } = split(credential);
    const known = this.keys.find(key, kind);
    if (!known || (known.caller.isSecret && token !== undefined)) return undefined;
    if (!looksAtTokens(known)) return known.caller;
    const verified = token && this.tokens.find(token, known.environment);
    return verified && !isProblem(verified) ? { ...known.caller, token: verified } : undefined;
  }

  /**
   * The caller of a good key of that kind, with the token behind it where the environment looks at
   * tokens. Throws `key.refused`, `token.refused` in an environment that requires a good token, or
   * `database.unavailable` as `KeyRing` does.
   */
  async authenticate(credential: string | undefined, kind: KeyKind): Promise<Caller> {
    const { key, token } = split(credential);
    const known = await this.keys.authenticate(key, kind);
    if (known.caller.isSecret && token !== undefined)
      throw refused('a secret key speaks for everybody and takes none');
    if (!looksAtTokens(known)) return known.caller;
    const verified = token ? await this.verify(token, known) : MISSING;
    if (!isProblem(verified)) return { ...known.caller, token: verified };
    this.count(known.caller.keyId, verified.outcome);
    if (known.environment.verification === 'required') throw refused(verified.reason);
    return known.caller;
  }

  /**
   * Whose state the caller may touch, for what a request asks. In an environment that requires
   * tokens throws `token.refused` where the token is another user's or has been revoked, and
   * `token.forbidden` for a group or a force that it does not name (V6).
   */
  authorize({ token, environmentId, keyId }: Caller, asked: RequestedAccess): AuthorizedActor {
    if (token) {
      const known = this.keys.findOpen(keyId);
      const problem =
        (known && this.findLateProblem(token, known)) ?? findClaimProblem(token, asked);
      this.count(keyId, problem?.outcome ?? 'valid');
      // A key that has been revoked since counts as required.
      const mode = known?.environment.verification ?? 'required';
      if (problem && mode === 'required') throw refusal(problem);
    }
    return {
      environmentId,
      user: asked.user,
      ...(asked.group !== undefined && { group: asked.group }),
    };
  }

  /** Why a socket of this caller would no longer be let in (L1, V7); undefined if it would. */
  findClosed({ keyId, token }: Caller, asked: RequestedAccess): string | undefined {
    const known = this.keys.findOpen(keyId);
    if (!known) return 'the API key of this socket was revoked or has expired';
    if (!looksAtTokens(known) || known.environment.verification !== 'required') return undefined;
    if (!token) return 'this environment now requires user tokens: connect with one';
    const checked = this.tokens.check(token, known.environment);
    if (!checked) return 'the signer of the user token of this socket was removed';
    const problem = isProblem(checked) ? checked : findClaimProblem(token, asked);
    return problem && `the user token of this socket is now refused: ${problem.reason}`;
  }

  /**
   * What is wrong with a token that was good when its request began: the rest of it may be half a
   * minute on its way.
   */
  private findLateProblem(token: UserToken, { environment }: RingKey): TokenProblem | undefined {
    const checked = this.tokens.check(token, environment) ?? SIGNER_GONE;
    return isProblem(checked) ? checked : undefined;
  }

  private async verify(token: string, { environment }: RingKey): Promise<UserToken | TokenProblem> {
    return this.tokens.find(token, environment) ?? this.tokens.verify(token, environment);
  }
}

/** The token follows the first dot; no key has one (V4). */
function split(credential: string | undefined): { key: string | undefined; token?: string } {
  const dot = credential?.indexOf('.') ?? -1;
  return dot === -1
    ? { key: credential }
    : { key: credential!.slice(0, dot), token: credential!.slice(dot + 1) };
}

const looksAtTokens = ({ caller, environment }: RingKey): boolean =>
  !caller.isSecret && environment.verification !== 'off';

const refused = (reason: string): DomainError =>
  new DomainError(
    'token.refused',
    `the user token, which follows the API key and a dot, is refused: ${reason}`,
  );

const refusal = ({ outcome, reason }: TokenProblem): DomainError =>
  outcome === 'forbidden'
    ? new DomainError('token.forbidden', `the user token does not allow this: ${reason}`)
    : refused(reason);
