import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { OpenCounts } from '@waymark/service-kit/limits';

/** What is used of a connection of engine.io; the transport's own socket is a WebSocket of `ws`. */
export interface Connection {
  readonly transport: { readonly socket?: WebSocket };
  once(event: 'close', listener: () => void): unknown;
  close(): void;
}
interface WebSocket {
  readonly readyState: number;
  terminate(): void;
}

const CLOSED = 3;
/** How long a client may take to agree that its connection is closed. */
const FAREWELL_MS = 1_000;

/** Every open connection of this replica. */
@Injectable()
export class LiveConnections {
  private readonly open = new Set<Connection>();
  private readonly byAddress = new OpenCounts();

  get size(): number {
    return this.open.size;
  }

  countOf(address: string): number {
    return this.byAddress.of(address);
  }

  /** A connection and where it comes from. */
  add(connection: Connection, address: string): void {
    this.open.add(connection);
    this.byAddress.add(address);
    connection.once('close', () => this.remove(connection, address));
  }

  /**
   * Closes the transports one after the other over a time, so that not everybody comes back at the
   * same moment (L7). The namespace is never disconnected: clients would not come back at all.
   * Returns when all are gone.
   */
  async closeAll(overMs: number): Promise<void> {
    const leaving = [...this.open];
    const webSockets = leaving.map(({ transport }) => transport.socket);
    const until = performance.now() + overMs;
    for (const [index, connection] of leaving.entries()) {
      connection.close();
      const left = until - performance.now();
      const stillOpen = leaving.length - index - 1;
      if (stillOpen > 0 && left > 0)
        await pause(Math.min((left / stillOpen) * 2 * Math.random(), left));
    }
    const deadline = performance.now() + FAREWELL_MS;
    const isOpen = (): boolean =>
      webSockets.some((socket) => socket !== undefined && socket.readyState !== CLOSED);
    while (isOpen() && performance.now() < deadline) await pause(20);
    for (const socket of webSockets) if (socket?.readyState !== CLOSED) socket?.terminate();
  }

  private remove(connection: Connection, address: string): void {
    if (this.open.delete(connection)) this.byAddress.remove(address);
  }
}
