import { Inject, Injectable } from '@nestjs/common';
import { type OnGatewayConnection, type OnGatewayDisconnect, type OnGatewayInit, WebSocketGateway } from '@nestjs/websockets';
import { type ServiceSettings, SETTINGS } from '@waymark/service-kit/config';
import { ClientAddresses } from '@waymark/service-kit/headers';
import { CLIENT_EVENTS } from '../push/live-events.js';
import { LiveMetrics } from './live-metrics.js';
import { WatchHandlers } from '../watch/watch-handlers.js';
import { Watcher } from '../push/watcher.js';
import { FrameCheck, type FrameSource } from './frame-check.js';
import { type Connection, LiveConnections } from './live-connections.js';
import { parseHandshake, reconnectPid } from './handshake.js';
import { LIVE_PATH } from './live-path.js';
import type { LiveNamespace, LiveSocket } from './live-socket.js';
import { SocketAuth } from './socket-auth.js';
import { SocketsByKey } from './sockets-by-key.js';
import { UpgradeCheck } from './upgrade-check.js';
import { upgradeMiddleware } from './upgrade-middleware.js';
import { LiveWebSockets } from './web-sockets.js';

/** No frame of a client is larger: the longest is a handshake that brings its watches back. */
const LARGEST_FRAME = 32 * 1024;
/** How long a connection may stay without the namespace: refused ones too. */
const CONNECT_MS = 5_000;

/**
 * Live updates (L1 to L8): socket.io on the port of the API. The key is checked in the middleware of the namespace,
 * before any handler, and again for as long as the socket lives.
 */
@Injectable()
@WebSocketGateway({
  path: LIVE_PATH,
  namespace: '/v2/client',
  transports: ['websocket'],
  serveClient: false,
  maxHttpBufferSize: LARGEST_FRAME,
  connectTimeout: CONNECT_MS,
  wsEngine: LiveWebSockets,
})
export class LiveGateway
  implements OnGatewayInit<LiveNamespace>, OnGatewayConnection<LiveSocket>, OnGatewayDisconnect<LiveSocket>
{
  constructor(
    private readonly upgrades: UpgradeCheck,
    private readonly connections: LiveConnections,
    private readonly frames: FrameCheck,
    private readonly addresses: ClientAddresses,
    private readonly auth: SocketAuth,
    private readonly socketsByKey: SocketsByKey,
    private readonly handlers: WatchHandlers,
    private readonly metrics: LiveMetrics,
    @Inject(SETTINGS) private readonly settings: Pick<ServiceSettings, 'corsOrigins'>,
  ) {}

  afterInit(namespace: LiveNamespace): void {
    const { server } = namespace;
    server.of('/').use((_socket, next) => next(new Error('there is nothing here: connect to the namespace /v2/client')));
    server.engine.use(upgradeMiddleware((request) => this.upgrades.refusalOf(request), this.settings.corsOrigins));
    server.engine.on('connection', (connection: Connection & FrameSource) => {
      const address = this.addresses.of(connection.request);
      this.connections.add(connection, address);
      this.frames.watch(connection, address);
    });
    namespace.use((socket, next) => {
      this.admit(socket).then(() => next(), next);
    });
  }

  /** Throws what the client is told in `connect_error`. */
  private async admit(socket: LiveSocket): Promise<void> {
    const handshake = parseHandshake(socket.handshake);
    const viewer = await this.auth.authenticate(handshake, this.addresses.of(socket.request));
    if (!viewer) return void socket.conn.close();
    const { watches } = handshake;
    socket.data = { watcher: new Watcher(viewer, socket, () => this.metrics.countDropped()), before: watches };
    // The client keeps it and brings it back; socket.io itself would remember the session of its own process only.
    (socket as unknown as { pid: string }).pid = reconnectPid(socket.id, watches);
    forgetHandshake(socket);
  }

  /** Handlers are bound here: Nest's own binding keeps some eight KiB of observables for each socket (P10). */
  async handleConnection(socket: LiveSocket): Promise<void> {
    const { watcher, before } = socket.data;
    for (const event of CLIENT_EVENTS) socket.on(event, (...payload) => void this.handlers.handle(event, watcher, payload));
    this.socketsByKey.add(watcher);
    await this.handlers.connect(watcher, before);
  }

  handleDisconnect(socket: LiveSocket): void {
    const { watcher } = socket.data;
    this.socketsByKey.remove(watcher);
    this.handlers.disconnect(watcher);
  }
}

/** Nothing asks for the request and its headers any more, which would stay for as long as the socket (P10). */
function forgetHandshake(socket: LiveSocket): void {
  const { conn } = socket as unknown as { conn: { request: unknown; transport: { req: unknown } } };
  conn.request = conn.transport.req = null;
  Object.assign(socket, { handshake: undefined });
}
