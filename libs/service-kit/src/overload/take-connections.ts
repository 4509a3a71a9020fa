import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How long a connection that is not taken is left alone; closing it at once would only bring the next one. */
const IGNORED_MS = 1_000;
/** Connections that are left alone at once. */
const MOST_IGNORED = 1_000;

/**
 * Asks about each new connection of a server whether to take it. One that is not taken is not read from, so that it costs
 * next to nothing, and is closed after a while.
 */
export function takeConnections(server: Server, take: (socket: Socket) => boolean): void {
  const listeners = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  let ignored = 0;
  const ignore = (socket: Socket): void => {
    socket.on('error', () => undefined);
    if (ignored >= MOST_IGNORED) return void socket.destroy();
    ignored++;
    socket.once('close', () => ignored--);
    setTimeout(() => socket.destroy(), IGNORED_MS).unref();
  };
  server.on('connection', (socket: Socket) => {
    if (!take(socket)) return ignore(socket);
    for (const listener of listeners) listener.call(server, socket);
  });
}
