import type { IncomingMessage } from 'node:http';
import type { KeyRing } from '@waymark/domain/environments';
import { DomainError } from '@waymark/domain/errors';
import { userId } from '@waymark/domain/users';
import { type Refusal, TokenBucket } from './admission.js';
import type { Connections } from './connections.js';
import { type Introduction, parseHandshake } from './handshake.js';
import type { KeyWatch } from './key-watch.js';
import type { LiveSocket } from './live-socket.js';
import type { LiveSettings } from './live-settings.js';
import type { Viewer } from './watcher.js';

type Limits = Pick<LiveSettings, 'socketsPerKey' | 'socketsPerAddress' | 'handshakesPerSecond'>;

/** Whom a socket speaks for, and what it watched before. */
export interface Guest {
  readonly viewer: Viewer;
  readonly watches: Introduction['watches'];
}

const KEY_REFUSED = 'auth of the handshake has to carry "x-api-key" with a valid blocks key, one that begins with "blocks-"';

/** Decides which sockets come in (L1). */
export class Doorkeeper {
  private readonly handshakes: TokenBucket;
  private isShut = false;

  constructor(
    private readonly keys: KeyRing,
    private readonly keyWatch: KeyWatch,
    private readonly connections: Connections,
    private readonly limits: Limits,
    private readonly origins: '*' | readonly string[],
  ) {
    this.handshakes = new TokenBucket(limits.handshakesPerSecond);
  }

  /** From now on nobody comes in: who tries is sent to another replica (L7). */
  shut(): void {
    this.isShut = true;
  }

  /** Before anything is spent on a socket; null for those who may introduce themselves. */
  refuseHandshake({ headers, socket }: IncomingMessage): Refusal | null {
    const { origin } = headers;
    if (this.isShut) return { status: 503, details: 'this process is shutting down' };
    if (origin !== undefined && this.origins !== '*' && !this.origins.includes(origin))
      return { status: 403, details: 'sockets from this web origin are not allowed, see CORS_ORIGINS' };
    if (this.connections.countOf(socket.remoteAddress ?? '') >= this.limits.socketsPerAddress)
      return { status: 429, details: 'too many sockets of this address' };
    return this.handshakes.take() ? null : { status: 429, details: 'too many new sockets at once' };
  }

  /**
   * Throws what the client is to be told where it must not try again. Answers nothing where it may, a little later: then
   * the transport is to be closed, since a client whose namespace is refused does not come back.
   */
  async admit({ handshake }: Pick<LiveSocket, 'handshake'>): Promise<Guest | undefined> {
    const { key, user, group, watches } = parseHandshake(handshake);
    try {
      const { environmentId, keyId } = await this.keys.authenticate(key, 'blocks');
      if (this.keyWatch.count(keyId) >= this.limits.socketsPerKey) return undefined;
      const actor = group === undefined ? { environmentId, user } : { environmentId, user, group };
      return { viewer: { actor, userId: userId(environmentId, user), keyId }, watches };
    } catch (error) {
      if (error instanceof DomainError && error.code === 'key.refused') throw new Error(KEY_REFUSED, { cause: error });
      return undefined;
    }
  }
}
