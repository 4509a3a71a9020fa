import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { ClientAddresses } from './client-address.js';
import type { RateLimiter } from './rate-limiter.js';

/**
 * How long a refused connection stays open, so that the client does not reconnect at once, and how
 * many do.
 */
const IGNORED_MS = 1_000;
const MOST_IGNORED = 1_000;

/** Counts what is open, by name. */
export class OpenCounts {
  private readonly byName = new Map<string, number>();

  of(name: string): number {
    return this.byName.get(name) ?? 0;
  }

  add(name: string): void {
    this.byName.set(name, this.of(name) + 1);
  }

  remove(name: string): void {
    const left = this.of(name) - 1;
    if (left > 0) this.byName.set(name, left);
    else this.byName.delete(name);
  }
}

interface ConnectionRules {
  readonly limiter: RateLimiter;
  readonly addresses: ClientAddresses;
  /** Connections that one address may have open. */
  readonly perAddress: number;
}

/**
 * Limits the connections of each address, in number and by rate; those of trusted proxies, which
 * speak for many, are not counted. A connection too many is not read from, so that it costs next to
 * nothing, and is closed after a while.
 */
export function limitConnections(
  server: Server,
  { limiter, addresses, perAddress }: ConnectionRules,
): void {
  const listeners = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  const open = new OpenCounts();
  let ignored = 0;
  const ignore = (socket: Socket): void => {
    socket.on('error', () => undefined);
    if (ignored >= MOST_IGNORED) return void socket.destroy();
    ignored++;
    socket.once('close', () => ignored--);
    setTimeout(() => socket.destroy(), IGNORED_MS).unref();
  };
  server.on('connection', (socket: Socket) => {
    const address = addresses.ofPeer(socket);
    if (address !== undefined) {
      if (!limiter.takeConnection(address, open.of(address) < perAddress)) return ignore(socket);
      open.add(address);
      socket.once('close', () => open.remove(address));
    }
    for (const listener of listeners) listener.call(server, socket);
  });
}
