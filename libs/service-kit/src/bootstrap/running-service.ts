import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { ServiceParts } from './service-parts.js';
import { Connections } from './connections.js';

/** Time for what runs to finish before its connection is cut. */
const FINISH_MS = 6_000;

/** A service that takes requests. */
export class RunningService {
  private stopping: Promise<void> | undefined;
  private readonly connections: Connections;

  constructor(
    /** `http://host:port`, with the port that was found when PORT is 0. */
    readonly url: string,
    readonly metricsUrl: string,
    readonly app: NestFastifyApplication,
    private readonly parts: ServiceParts,
    private readonly servers: readonly Server[],
    /** How long it serves on after SIGTERM. */
    readonly graceMs: number,
  ) {
    this.connections = new Connections(servers);
  }

  /**
   * Stops: not ready at once, still serving for `graceMs`, then no new connections, what runs is finished, and the
   * connections to PostgreSQL are ended. A second call waits for the first.
   */
  stop({ graceMs = 0 }: { graceMs?: number } = {}): Promise<void> {
    this.stopping ??= this.leave(graceMs);
    return this.stopping;
  }

  private async leave(graceMs: number): Promise<void> {
    this.parts.readiness.leave();
    await delay(graceMs);
    const cancel = this.connections.cutAfter(FINISH_MS);
    await this.app.close();
    cancel();
    for (const server of this.servers) server.close();
    await closeParts(this.parts);
  }
}

/** Ends everything that was put together, whether or not it came to run. */
export async function closeParts(parts: ServiceParts): Promise<void> {
  parts.watch.stop();
  parts.deadline.stop();
  if (parts.dataSource.isInitialized) await parts.dataSource.destroy();
}
