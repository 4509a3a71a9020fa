import { Controller, Get, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequiresKey } from '@waymark/service-kit/access';
import { ApiRefusals } from '@waymark/service-kit/docs';
import { FromRequest } from '@waymark/service-kit/requests';
import type { FastifyReply } from 'fastify';
import { ApiFlowNames } from './api-state-request.js';
import { type FlowTypesRequest, parseTypesRequest } from './flow-list-request.js';
import { FlowsService } from './flows.service.js';

@Controller('v2/types')
@RequiresKey('blocks')
@ApiTags('flows')
export class FlowTypesController {
  constructor(private readonly flows: FlowsService) {}

  @Get()
  @ApiFlowNames()
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
