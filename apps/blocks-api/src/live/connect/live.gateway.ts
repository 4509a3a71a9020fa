import { type IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import {
  type OnGatewayConnection,
  type OnGatewayDisconnect,
  type OnGatewayInit,
  WebSocketGateway,
} from '@nestjs/websockets';
import { type ServiceSettings, SETTINGS } from '@waymark/service-kit/config';
import { ClientAddresses } from '@waymark/service-kit/limits';
import { ExposedKeys } from '@waymark/service-kit/observability';
import type { Namespace, Socket } from 'socket.io';
import { errorAnswer, rawErrorSender } from '@waymark/service-kit/http';
import { type ServerOptions, WebSocketServer } from 'ws';
import { CLIENT_EVENTS, type ClientEvents, type ServerEvents } from '../push/live-events.js';
import { LiveMetrics } from './live-metrics.js';
import { WatchHandlers } from '../watch/watch-handlers.js';
import { Watcher } from '../push/watcher.js';
import { FrameCheck, type FrameSource } from './frame-check.js';
import { type Connection, LiveConnections } from './live-connections.js';
import { parseHandshake, reconnectPid } from './handshake.js';
import { LIVE_PATH } from './live-path.js';
import { SocketAuth } from './socket-auth.js';
import { SocketsByKey } from './sockets-by-key.js';
import { UpgradeCheck, type UpgradeRefusal } from './upgrade-check.js';
import type { WatchedVersion } from '../push/watched-version.js';

/** No frame of a client is larger: the longest is a handshake that brings its watches back. */
const LARGEST_FRAME = 32 * 1024;
/** How long a connection may stay without the namespace: refused ones too. */
const CONNECT_MS = 5_000;

type NoServerEvents = Record<string, never>;
interface SocketData {
  watcher: Watcher;
  /** What it watched before it lost its connection (L7). */
  before: readonly WatchedVersion[];
}

type LiveNamespace = Namespace<ClientEvents, ServerEvents, NoServerEvents, SocketData>;
type LiveSocket = Socket<ClientEvents, ServerEvents, NoServerEvents, SocketData>;

type Next = (error?: Error) => void;

const PLAIN_HTTP = errorAnswer(
  400,
  'this path speaks WebSocket only: connect with socket.io and transports ["websocket"]',
  {
    connection: 'close',
  },
);

/** Frames that one message may come in; browsers send one. */
const MOST_FRAGMENTS = 16;

/**
 * What socket.io takes its WebSockets from. Pings are answered by `FrameCheck`, which counts them
 * (R13).
 */
class LiveWebSockets extends WebSocketServer {
  constructor(options: ServerOptions) {
    super({ ...options, autoPong: false, maxFragments: MOST_FRAGMENTS } as ServerOptions);
  }
}

/**
 * Live updates (L1 to L8): socket.io on the port of the API. The key is checked in the middleware
 * of the namespace, before any handler, and again for as long as the socket lives.
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
  implements
    OnGatewayInit<LiveNamespace>,
    OnGatewayConnection<LiveSocket>,
    OnGatewayDisconnect<LiveSocket>
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
    private readonly exposed: ExposedKeys,
    @Inject(SETTINGS) private readonly settings: Pick<ServiceSettings, 'corsOrigins'>,
  ) {}

  afterInit(namespace: LiveNamespace): void {
    const { server } = namespace;
    server
      .of('/')
      .use((_socket, next) =>
        next(new Error('there is nothing here: connect to the namespace /v2/client')),
      );
    server.engine.use(
      upgradeMiddleware((request) => this.upgrades.refusalOf(request), this.settings.corsOrigins),
    );
    server.engine.on('connection', (connection: Connection & FrameSource) => {
      const address = this.addresses.of(connection.request);
      this.connections.add(connection, address);
      this.frames.watch(connection, address);
    });
    namespace.use((socket, next) => {
      this.admit(socket).then(() => next(), next);
    });
  }

  /** Throws the error that the client gets in `connect_error`. */
  private async admit(socket: LiveSocket): Promise<void> {
    const handshake = parseHandshake(socket.handshake);
    const viewer = await this.auth.authenticate(handshake, this.addresses.of(socket.request));
    if (!viewer) return void socket.conn.close();
    this.exposed.note(viewer.caller, socket.handshake.headers.origin);
    const { watches } = handshake;
    socket.data = {
      watcher: new Watcher(viewer, socket, () => this.metrics.countDropped()),
      before: watches,
    };
    // The client keeps it and brings it back; socket.io itself would remember the session of its
    // own process only.
    (socket as unknown as { pid: string }).pid = reconnectPid(socket.id, watches);
    forgetHandshake(socket);
  }

  /**
   * Handlers are bound here: Nest's own binding keeps some eight KiB of observables for each socket
   * (P10).
   */
  async handleConnection(socket: LiveSocket): Promise<void> {
    const { watcher, before } = socket.data;
    for (const event of CLIENT_EVENTS)
      socket.on(event, (...payload) => void this.handlers.handle(event, watcher, payload));
    this.socketsByKey.add(watcher);
    // Said already, and as long as the watches of a socket are many.
    Object.assign(socket, { pid: undefined, data: { watcher, before: [] } });
    await this.handlers.connect(watcher, before);
  }

  handleDisconnect(socket: LiveSocket): void {
    const { watcher } = socket.data;
    this.socketsByKey.remove(watcher);
    this.handlers.disconnect(watcher);
  }
}

/**
 * Refuses before anything is spent on a socket; plain HTTP on this path gets the envelope as well
 * (W2).
 */
function upgradeMiddleware(
  refusalOf: (request: IncomingMessage) => UpgradeRefusal | null,
  origins: '*' | string[],
) {
  const send = rawErrorSender(origins);
  return (request: IncomingMessage, response: ServerResponse | object, next: Next): void => {
    // Of an upgrade the response is engine.io's own. A header alone, as from a proxy that drops
    // `Connection`, makes none.
    if (response instanceof ServerResponse) return void send(PLAIN_HTTP, response, request);
    const refusal = refusalOf(request);
    if (refusal) send(errorAnswer(refusal.status, refusal.details), request.socket, request);
    else next();
  };
}

/**
 * Nothing needs the request and its headers any more, which otherwise would stay for as long as the
 * socket (P10).
 */
function forgetHandshake(socket: LiveSocket): void {
  const { conn } = socket as unknown as { conn: { request: unknown; transport: { req: unknown } } };
  conn.request = conn.transport.req = null;
  Object.assign(socket, { handshake: undefined });
}
