import { Controller, Get, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Public } from '../access/route-access.js';
import { Metrics } from './metrics.js';

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
