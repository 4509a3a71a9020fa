import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request that came in. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/**
 * What to do with a request: the status to answer with, or an answer written by hand, which may
 * never come.
 */
export type Behaviour = (received: Received, response: ServerResponse) => number | void;

/**
 * A real receiver of webhooks that remembers what came in, and answers 204 unless configured
 * otherwise.
 */
export class Receiver {
  readonly received: Received[] = [];
  behaviour: Behaviour = () => 204;
  private readonly waiting: (() => void)[] = [];

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        const received = { headers: request.headers, body };
        this.received.push(received);
        for (const tell of this.waiting.splice(0)) tell();
        const status = this.behaviour(received, response);
        if (status !== undefined)
          response
            .writeHead(status, status === 302 ? { location: `${this.url}elsewhere` } : {})
            .end();
      });
    });
  }

  static async open(): Promise<Receiver> {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return new Receiver(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  /** The bodies as JSON. */
  get documents(): { type: string; data: Record<string, unknown> }[] {
    return this.received.map(
      ({ body }) => JSON.parse(body) as { type: string; data: Record<string, unknown> },
    );
  }

  /** Waits until the requests that came in are as wanted. */
  async until(isSo: (received: readonly Received[]) => boolean): Promise<void> {
    while (!isSo(this.received)) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}
