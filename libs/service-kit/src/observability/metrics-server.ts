import { createServer, type Server } from 'node:http';
import { Controller, Get, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Metrics } from './metrics.js';
import { Public } from '../http/route-access.js';

/** How long a request may take to arrive. */
const ARRIVAL_MS = 10_000;

/** Serves `GET /metrics` on a port of its own, so that a public port need not show it. */
export function createMetricsServer(metrics: Metrics): Server {
  return createServer(
    { requestTimeout: ARRIVAL_MS, connectionsCheckingInterval: 1_000 },
    (request, response) => {
      if (request.method !== 'GET' || request.url?.split('?', 1)[0] !== '/metrics') {
        response.writeHead(404).end();
        return;
      }
      metrics.read().then(
        (text) =>
          response.writeHead(200, { 'content-type': metrics.registry.contentType }).end(text),
        () => response.writeHead(500).end(),
      );
    },
  );
}

/** The metrics on the port of the service itself, for where METRICS_PORT is the same as PORT. */
@ApiExcludeController()
@Public()
@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  @Get()
  async get(@Res() reply: FastifyReply): Promise<void> {
    const text = await this.metrics.read();
    void reply.type(this.metrics.registry.contentType).send(text);
  }
}
