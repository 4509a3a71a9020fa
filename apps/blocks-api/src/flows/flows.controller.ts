import { Controller, Get, Post, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequiresKey, FromRequest } from '@waymark/service-kit/http';
import type { FastifyReply } from 'fastify';
import { AnswersEffect, AnswersJson, ApiStateRequest } from './api-state-request.js';
import {
  type FlowReadRequest,
  type IntentRequest,
  parseEnd,
  parseFlowRead,
  parseIntent,
  type StateRequest,
} from './state-request.js';
import { EndQuery, FlowQuery, IntentQuery } from './queries.js';
import { FlowDto } from './flow.dto.js';
import { FlowsService } from './flows.service.js';
import { answerRead } from './read-answer.js';
import { tellEffect } from './tell-effect.js';

@Controller('v2/flow/:sid')
@RequiresKey('blocks')
@ApiTags('flows')
export class FlowsController {
  constructor(private readonly flows: FlowsService) {}

  @Get()
  @AnswersJson()
  @ApiStateRequest('sid', FlowQuery)
  @ApiOperation({
    summary: 'Read a flow; starts it for a user who qualifies and never came near it',
  })
  @ApiOkResponse({ type: FlowDto })
  async read(
    @FromRequest(parseFlowRead) request: FlowReadRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return answerRead(reply, await this.flows.readFlow(request));
  }

  @Post('start')
  @AnswersEffect()
  @ApiStateRequest('sid', IntentQuery)
  @ApiOperation({ summary: 'Start a flow; force starts it whatever its targeting' })
  async start(
    @FromRequest(parseIntent) request: IntentRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    tellEffect(reply, await this.flows.runIntent(request, { kind: 'start', force: request.force }));
  }

  @Post('reset')
  @AnswersEffect()
  @ApiStateRequest('sid', IntentQuery)
  @ApiOperation({ summary: 'Forget everything, then start' })
  async reset(
    @FromRequest(parseIntent) request: IntentRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    tellEffect(reply, await this.flows.runIntent(request, { kind: 'reset', force: request.force }));
  }

  @Post('stop')
  @AnswersEffect()
  @ApiStateRequest('sid', EndQuery)
  @ApiOperation({ summary: 'Stop a flow, or keep a user out of it' })
  async stop(
    @FromRequest(parseEnd) request: StateRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    tellEffect(reply, await this.flows.runIntent(request, { kind: 'stop' }));
  }

  @Post('finish')
  @AnswersEffect()
  @ApiStateRequest('sid', EndQuery)
  @ApiOperation({ summary: 'Finish a flow' })
  async finish(
    @FromRequest(parseEnd) request: StateRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    tellEffect(reply, await this.flows.runIntent(request, { kind: 'finish' }));
  }
}
