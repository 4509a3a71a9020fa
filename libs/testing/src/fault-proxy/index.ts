import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** What goes wrong on the way, for connections that are open and for new ones. */
export type Fault =
  | { kind: 'none' }
  /** Everything takes that much longer, each way. */
  | { kind: 'latency'; ms: number }
  /** Connections are accepted and nothing arrives, either way, until the fault is over. */
  | { kind: 'black-hole' }
  /** New connections are reset; open ones live. */
  | { kind: 'refuse' }
  /** A connection is reset once that many bytes of answers have passed. */
  | { kind: 'cut'; afterBytes: number }
  /**
   * The service does its work, but its answer is lost: the connection is reset instead, that many
   * times.
   */
  | { kind: 'drop-answer'; times: number };

/** A TCP proxy that stands between a client and a service, or a service and PostgreSQL. */
export interface FaultProxy {
  port: number;
  /** The same address, by way of the proxy. */
  through(url: string): string;
  set(fault: Fault): void;
  /** Ends the fault; what a black hole held back goes on. */
  heal(): void;
  /** Resets every open connection now. */
  reset(): void;
  /** Connections that are open now fall silent for ever, without an error; new ones work. */
  silence(): void;
  close(): Promise<void>;
}

class Route {
  fault: Fault = { kind: 'none' };
  private dropped = 0;
  private changed: () => void = () => undefined;
  private untilChange = new Promise<void>((resolve) => (this.changed = resolve));
  private readonly open = new Set<Socket>();
  private readonly silent = new WeakSet<Socket>();

  set(fault: Fault): void {
    this.fault = fault;
    this.dropped = 0;
    this.changed();
    this.untilChange = new Promise((resolve) => (this.changed = resolve));
  }

  reset(): void {
    for (const socket of this.open) abort(socket);
  }

  silence(): void {
    for (const socket of this.open) this.silent.add(socket);
  }

  join(client: Socket, service: Socket): void {
    for (const socket of [client, service]) {
      this.open.add(socket.setNoDelay());
      // What happens to one side must reach the other too; neither is an error of the test.
      socket.on('error', () => undefined);
      socket.once('close', (failed) => {
        this.open.delete(socket);
        if (failed) for (const other of [client, service]) abort(other);
      });
    }
    void carry(this.hold(client), client, service);
    void carry(this.spoil(this.hold(service), client), service, client);
  }

  private async *hold(socket: Socket): AsyncGenerator<Buffer> {
    for await (const chunk of socket.iterator({
      destroyOnReturn: false,
    }) as AsyncIterable<Buffer>) {
      if (this.fault.kind === 'latency') await pause(this.fault.ms);
      while (this.fault.kind === 'black-hole') await this.untilChange;
      if (!this.silent.has(socket)) yield chunk;
    }
  }

  private async *spoil(chunks: AsyncIterable<Buffer>, client: Socket): AsyncGenerator<Buffer> {
    let passed = 0;
    for await (const chunk of chunks) {
      const { fault } = this;
      if (fault.kind === 'drop-answer' && this.dropped++ < fault.times) return abort(client);
      if (fault.kind === 'cut' && passed + chunk.length > fault.afterBytes) {
        client.write(chunk.subarray(0, fault.afterBytes - passed), () => abort(client));
        return;
      }
      passed += chunk.length;
      yield chunk;
    }
  }
}

/** Starts a proxy on a free port of 127.0.0.1. */
export async function startFaultProxy(target: {
  host?: string;
  port: number;
}): Promise<FaultProxy> {
  const route = new Route();
  const server = createServer({ allowHalfOpen: true }, (client) => {
    if (route.fault.kind === 'refuse') return void client.resetAndDestroy();
    const service = connect({
      host: target.host ?? '127.0.0.1',
      port: target.port,
      allowHalfOpen: true,
    });
    route.join(client, service);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    through: (url) => {
      const address = new URL(url);
      address.hostname = '127.0.0.1';
      address.port = String(port);
      return address.href;
    },
    set: (fault) => route.set(fault),
    heal: () => route.set({ kind: 'none' }),
    reset: () => route.reset(),
    silence: () => route.silence(),
    close: async () => {
      server.close();
      route.reset();
      await once(server, 'close');
    },
  };
}

/**
 * Each direction ends by itself, so that an answer may still be on its way after the other side
 * said its last word.
 */
async function carry(chunks: AsyncIterable<Buffer>, from: Socket, to: Socket): Promise<void> {
  try {
    for await (const chunk of chunks) if (!to.write(chunk)) await once(to, 'drain');
    to.end();
  } catch {
    abort(from);
    abort(to);
  }
}

/**
 * A reset where one is possible: libuv refuses to reset a socket that is ending, and Node.js then
 * never lets go of it.
 */
function abort(socket: Socket): void {
  if (socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
}
