import type { Namespace, Socket } from 'socket.io';
import type { ClientEvents, ServerEvents } from '../push/live-events.js';
import type { WatchedVersion } from '../push/watched-version.js';
import type { Watcher } from '../push/watcher.js';

type NoServerEvents = Record<string, never>;
export interface SocketData {
  watcher: Watcher;
  /** What it watched before it lost its connection (L7). */
  before: readonly WatchedVersion[];
}

export type LiveNamespace = Namespace<ClientEvents, ServerEvents, NoServerEvents, SocketData>;
export type LiveSocket = Socket<ClientEvents, ServerEvents, NoServerEvents, SocketData>;
