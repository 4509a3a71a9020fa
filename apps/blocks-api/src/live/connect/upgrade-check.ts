import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS } from '@waymark/service-kit/config';
import { ClientAddresses, RateLimiter } from '@waymark/service-kit/limits';
import type { BlocksSettings } from '../../config/settings.js';
import { LiveConnections } from './live-connections.js';

type Limits = Pick<BlocksSettings, 'corsOrigins' | 'socketsPerAddress'>;

/**
 * Why an upgrade to WebSocket is not accepted. Refused as HTTP, so that the client tries again by
 * itself.
 */
export interface UpgradeRefusal {
  readonly status: 400 | 403 | 429 | 503;
  readonly details: string;
}

/**
 * Decides which requests may become a WebSocket, before anything is spent on one; who speaks is
 * checked by `SocketAuth`.
 */
@Injectable()
export class UpgradeCheck {
  private isShuttingDown = false;

  constructor(
    private readonly connections: LiveConnections,
    private readonly addresses: ClientAddresses,
    private readonly limiter: RateLimiter,
    @Inject(SETTINGS) private readonly limits: Limits,
  ) {}

  /** From now on every upgrade is refused: clients that try are sent to another replica (L7). */
  shutDown(): void {
    this.isShuttingDown = true;
  }

  /** Null for those who may go on to the handshake. */
  refusalOf(request: IncomingMessage): UpgradeRefusal | null {
    const { url = '', headers } = request;
    const { origin } = headers;
    const address = this.addresses.of(request);
    const query = new URLSearchParams(url.split('?', 2)[1]);
    const { corsOrigins, socketsPerAddress } = this.limits;
    // All of a name: engine.io does not take the first of two, and would answer on the socket that
    // is open by then.
    const isOurs =
      query.getAll('EIO').join() === '4' && query.getAll('transport').join() === 'websocket';
    if (!isOurs || query.has('sid'))
      return {
        status: 400,
        details: 'connect with socket.io 4 and transports ["websocket"]: EIO=4, and no sid',
      };
    if (this.isShuttingDown) return { status: 503, details: 'this process is shutting down' };
    if (origin !== undefined && corsOrigins !== '*' && !corsOrigins.includes(origin))
      return {
        status: 403,
        details: 'sockets from this web origin are not allowed, see CORS_ORIGINS',
      };
    if (this.connections.countOf(address) >= socketsPerAddress)
      return { status: 429, details: 'too many sockets of this address' };
    // A stranger's, as long as nobody has looked at the key.
    const mayOpen = this.limiter.take(address) && this.limiter.takeFrames(address, 1);
    return mayOpen
      ? null
      : { status: 429, details: 'too many new sockets of this address at once' };
  }
}
