import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Socket } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { GuardedRoute } from '../http/route-access.js';
import type { ServiceParts } from './service-parts.js';

/** Time for what runs to finish before its connection is cut. */
const FINISH_MS = 6_000;

/**
 * Remembers the connections of servers, upgraded ones too, so that those that never end can be cut.
 */
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

/** A service that takes requests. */
export class RunningService {
  private stopping: Promise<void> | undefined;

  constructor(
    /** `http://host:port`, with the port that was found when PORT is 0. */
    readonly url: string,
    /** The same for METRICS_PORT, without `/metrics`. */
    readonly metricsUrl: string,
    readonly app: NestFastifyApplication,
    /** How long it is to serve on after SIGTERM. */
    readonly graceMs: number,
    private readonly parts: ServiceParts,
    private readonly metrics: Server,
    private readonly connections: Connections,
  ) {}

  /** Every route with who may use it. */
  get routes(): readonly GuardedRoute[] {
    return this.parts.routes;
  }

  /**
   * Stops: not ready at once, still serving for `graceMs`, then no new connections, what runs is
   * finished, and the connections to PostgreSQL are ended. A second call waits for the first.
   */
  stop({ graceMs = 0 }: { graceMs?: number } = {}): Promise<void> {
    this.stopping ??= this.leave(graceMs);
    return this.stopping;
  }

  private async leave(graceMs: number): Promise<void> {
    const { app, parts, metrics, connections } = this;
    parts.readiness.leave();
    await delay(graceMs);
    const callOff = connections.cutAfter(FINISH_MS);
    metrics.close();
    // Begun before the application closes, which ends the connections to the database.
    const noted = parts.keyUse.stop();
    await app.close();
    await noted;
    callOff();
    await closeParts(parts);
  }
}

/** Stops all parts, whether or not the service started. */
export async function closeParts({
  watch,
  admission,
  deadline,
  dataSource,
}: ServiceParts): Promise<void> {
  watch.stop();
  admission.stop();
  deadline.stop();
  if (dataSource.isInitialized) await dataSource.destroy();
}
