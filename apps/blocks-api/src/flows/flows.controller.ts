import { Controller, Get, Post, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiQueries, ApiRefusals, FromRequest, RequiresKey } from '@waymark/service-kit/http';
import type { FastifyReply } from 'fastify';
import {
  AnswersEffect,
  AnswersJson,
  ApiActorRequest,
  ApiStateRequest,
} from './api-state-request.js';
import {
  type FlowListRequest,
  type FlowReadRequest,
  type FlowTypesRequest,
  type IntentRequest,
  parseEnd,
  parseFlowList,
  parseFlowRead,
  parseIntent,
  parseTypesRequest,
  type StateRequest,
} from './state-request.js';
import { EndQuery, FlowListQuery, FlowQuery, FlowTypesQuery, IntentQuery } from './queries.js';
import { FlowDto, FlowListDto } from './flow.dto.js';
import { FlowsService } from './flows.service.js';
import { answerRead } from './read-answer.js';
import { setEffectHeaders } from './effect-headers.js';

/** Reads the flow of a user, and starts, resets, stops or finishes it. */
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
    setEffectHeaders(
      reply,
      await this.flows.runIntent(request, { kind: 'start', force: request.force }),
    );
  }

  @Post('reset')
  @AnswersEffect()
  @ApiStateRequest('sid', IntentQuery)
  @ApiOperation({ summary: 'Forget everything, then start' })
  async reset(
    @FromRequest(parseIntent) request: IntentRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    setEffectHeaders(
      reply,
      await this.flows.runIntent(request, { kind: 'reset', force: request.force }),
    );
  }

  @Post('stop')
  @AnswersEffect()
  @ApiStateRequest('sid', EndQuery)
  @ApiOperation({ summary: 'Stop a flow, or keep a user out of it' })
  async stop(
    @FromRequest(parseEnd) request: StateRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    setEffectHeaders(reply, await this.flows.runIntent(request, { kind: 'stop' }));
  }

  @Post('finish')
  @AnswersEffect()
  @ApiStateRequest('sid', EndQuery)
  @ApiOperation({ summary: 'Finish a flow' })
  async finish(
    @FromRequest(parseEnd) request: StateRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    setEffectHeaders(reply, await this.flows.runIntent(request, { kind: 'finish' }));
  }
}

/** Reads several flows of a user at once (B13). */
@Controller('v2/flows')
@RequiresKey('blocks')
@ApiTags('flows')
export class FlowListController {
  constructor(private readonly flows: FlowsService) {}

  @Get()
  @AnswersJson()
  @ApiActorRequest(FlowListQuery)
  @ApiOperation({
    summary:
      'Read several flows at once; starts those that the user qualifies for and never came near',
  })
  @ApiOkResponse({ type: FlowListDto })
  @ApiRefusals(400, 401, 403, 404, 503)
  async read(
    @FromRequest(parseFlowList) request: FlowListRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return answerRead(reply, await this.flows.readFlows(request));
  }
}

/** TypeScript types of flows, for applications. */
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
    @FromRequest(parseTypesRequest) request: FlowTypesRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const types = await this.flows.describeTypes(request);
    // Not before: a refusal is JSON.
    reply.type('text/plain; charset=utf-8');
    return types;
  }
}
