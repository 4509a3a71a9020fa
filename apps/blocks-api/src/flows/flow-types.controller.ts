import { Controller, Get, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiQueries, ApiRefusals, FromRequest, RequiresKey } from '@waymark/service-kit/http';
import type { FastifyReply } from 'fastify';
import { FlowsService } from './flows.service.js';
import { FlowTypesQuery } from './queries.js';
import { type FlowTypesRequest, parseTypesRequest } from './state-request.js';

@Controller('v2/types')
@RequiresKey('blocks')
@ApiTags('flows')
export class FlowTypesController {
  constructor(private readonly flows: FlowsService) {}

  @Get()
  @ApiQueries(FlowTypesQuery)
  @ApiOperation({ summary: 'What flows have, as a .d.ts for @waymark/client' })
  @ApiOkResponse({ content: { 'text/plain': { schema: { type: 'string' } } } })
  @ApiRefusals(400, 401, 404, 503)
  async read(
    @FromRequest(parseTypesRequest) asked: FlowTypesRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const types = await this.flows.describeTypes(asked);
    // Not before: a refusal is JSON.
    reply.type('text/plain; charset=utf-8');
    return types;
  }
}
