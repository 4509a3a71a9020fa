import { Controller, Get, Post, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequiresKey, FromRequest } from '@waymark/service-kit/http';
import type { FastifyReply } from 'fastify';
import { AnswersEffect, AnswersJson, ApiStateRequest } from './api-state-request.js';
import {
  parseBlockRead,
  parseTransition,
  type StateRequest,
  type TransitionRequest,
} from './state-request.js';
import { StateQuery, TransitionQuery } from './queries.js';
import { FlowsService } from './flows.service.js';
import { answerRead } from './read-answer.js';
import { setEffectHeaders } from './effect-headers.js';
import { BlockDto } from './block.dto.js';
import { TransitionBody } from './transition-body.js';

/** Reads blocks, and moves users along their paths. */
@Controller('v2/block/:uid')
@RequiresKey('blocks')
@ApiTags('blocks')
export class BlocksController {
  constructor(private readonly flows: FlowsService) {}

  @Get()
  @AnswersJson()
  @ApiStateRequest('uid', StateQuery)
  @ApiOperation({ summary: 'Read a block; never starts its flow' })
  @ApiOkResponse({ type: BlockDto })
  async read(
    @FromRequest(parseBlockRead) request: StateRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return answerRead(reply, await this.flows.readBlock(request));
  }

  @Post('transition')
  @AnswersEffect(TransitionBody)
  @ApiStateRequest('uid', TransitionQuery)
  @ApiOperation({ summary: 'Leave an active block by one or more of its transitions' })
  async transition(
    @FromRequest(parseTransition) request: TransitionRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    setEffectHeaders(reply, await this.flows.runTransition(request));
  }
}
