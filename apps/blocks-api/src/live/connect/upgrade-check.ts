import type { IncomingMessage } from 'node:http';
import type { LiveSettings } from '../live-settings.js';
import { TokenBucket } from '../token-bucket.js';
import type { Connections } from './connections.js';
import type { UpgradeRefusal } from './upgrade-middleware.js';

type Limits = Pick<LiveSettings, 'socketsPerAddress' | 'handshakesPerSecond'>;

/** Decides which requests may become a WebSocket, before anything is spent on one; who speaks is checked by `SocketAuth`. */
export class UpgradeCheck {
  private readonly handshakes: TokenBucket;
  private isShuttingDown = false;

  constructor(
    private readonly connections: Connections,
    private readonly limits: Limits,
    private readonly origins: '*' | readonly string[],
  ) {
    this.handshakes = new TokenBucket(limits.handshakesPerSecond);
  }

  /** From now on every upgrade is refused: who tries is sent to another replica (L7). */
  shutDown(): void {
    this.isShuttingDown = true;
  }

  /** Null for those who may go on to the handshake. */
  refusalOf({ headers, socket }: IncomingMessage): UpgradeRefusal | null {
    const { origin } = headers;
    if (this.isShuttingDown) return { status: 503, details: 'this process is shutting down' };
    if (origin !== undefined && this.origins !== '*' && !this.origins.includes(origin))
      return { status: 403, details: 'sockets from this web origin are not allowed, see CORS_ORIGINS' };
    if (this.connections.countOf(socket.remoteAddress ?? '') >= this.limits.socketsPerAddress)
      return { status: 429, details: 'too many sockets of this address' };
    return this.handshakes.take() ? null : { status: 429, details: 'too many new sockets at once' };
  }
}
