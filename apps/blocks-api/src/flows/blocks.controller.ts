import { Controller, Get, Post, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { RequiresKey } from '@waymark/service-kit/access';
import { FromRequest } from '@waymark/service-kit/requests';
import type { FastifyReply } from 'fastify';
import { AnswersEffect, AnswersJson, ApiStateRequest } from './api-state-request.js';
import { parseBlockRead, parseTransition, type StateRequest, type TransitionRequest } from './state-request.js';
import { FlowsService } from './flows.service.js';
import { tellEffect } from './tell-effect.js';
import { BlockDto } from './block.dto.js';

@Controller('v2/block/:uid')
@RequiresKey('blocks')
@ApiTags('blocks')
export class BlocksController {
  constructor(private readonly flows: FlowsService) {}

  @Get()
  @AnswersJson()
  @ApiStateRequest('uid')
  @ApiOperation({ summary: 'Read a block; never starts its flow' })
  @ApiOkResponse({ type: BlockDto })
  read(@FromRequest(parseBlockRead) request: StateRequest): Promise<string> {
    return this.flows.readBlock(request);
  }

  @Post('transition')
  @AnswersEffect()
  @ApiStateRequest('uid')
  @ApiQuery({ name: 'transitions', schema: { type: 'array', items: { type: 'string' }, minItems: 1 } })
  @ApiOperation({ summary: 'Leave an active block by one or more of its transitions' })
  async transition(
    @FromRequest(parseTransition) request: TransitionRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    tellEffect(reply, await this.flows.runTransition(request));
  }
}
