import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Remembers the connections of servers, upgraded ones too, so that those that never end can be cut. */
export class Connections {
  private readonly open = new Set<Socket>();

  constructor(servers: readonly Server[]) {
    for (const server of servers) {
      server.on('connection', (socket: Socket) => {
        this.open.add(socket);
        socket.once('close', () => this.open.delete(socket));
      });
    }
  }

  get size(): number {
    return this.open.size;
  }

  /** Ends what is still open after that time; returns a function that cancels this. */
  cutAfter(milliseconds: number): () => void {
    const timer = setTimeout(() => {
      for (const socket of this.open) socket.destroy();
    }, milliseconds).unref();
    return () => clearTimeout(timer);
  }
}
