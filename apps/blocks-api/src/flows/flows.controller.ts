import { Controller, Get, Post, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { RequiresKey } from '@waymark/service-kit/access';
import { FromRequest } from '@waymark/service-kit/requests';
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
import { FlowDto } from './flow.dto.js';
import { FlowsService } from './flows.service.js';
import { tellEffect } from './tell-effect.js';

const Force = () => ApiQuery({ name: 'force', required: false, schema: { type: 'string', enum: ['true', 'false'] } });
const NoForce = () => ApiQuery({ name: 'force', required: false, schema: { type: 'string', enum: ['false'] } });

@Controller('v2/flow/:sid')
@RequiresKey('blocks')
@ApiTags('flows')
export class FlowsController {
  constructor(private readonly flows: FlowsService) {}

  @Get()
  @AnswersJson()
  @ApiStateRequest('sid')
  @ApiQuery({ name: 'include', required: false, schema: { type: 'string', enum: ['block'] } })
  @ApiOperation({ summary: 'Read a flow; starts it for a user who qualifies and never came near it' })
  @ApiOkResponse({ type: FlowDto })
  read(@FromRequest(parseFlowRead) request: FlowReadRequest): Promise<string> {
    return this.flows.readFlow(request);
  }

  @Post('start')
  @AnswersEffect()
  @ApiStateRequest('sid')
  @Force()
  @ApiOperation({ summary: 'Start a flow; force starts it whatever its targeting' })
  async start(@FromRequest(parseIntent) request: IntentRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    tellEffect(reply, await this.flows.runIntent(request, { kind: 'start', force: request.force }));
  }

  @Post('reset')
  @AnswersEffect()
  @ApiStateRequest('sid')
  @Force()
  @ApiOperation({ summary: 'Forget everything, then start' })
  async reset(@FromRequest(parseIntent) request: IntentRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    tellEffect(reply, await this.flows.runIntent(request, { kind: 'reset', force: request.force }));
  }

  @Post('stop')
  @AnswersEffect()
  @ApiStateRequest('sid')
  @NoForce()
  @ApiOperation({ summary: 'Stop a flow, or keep a user out of it' })
  async stop(@FromRequest(parseEnd) request: StateRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    tellEffect(reply, await this.flows.runIntent(request, { kind: 'stop' }));
  }

  @Post('finish')
  @AnswersEffect()
  @ApiStateRequest('sid')
  @NoForce()
  @ApiOperation({ summary: 'Finish a flow' })
  async finish(@FromRequest(parseEnd) request: StateRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    tellEffect(reply, await this.flows.runIntent(request, { kind: 'finish' }));
  }
}
