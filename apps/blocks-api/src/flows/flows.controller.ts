import { Controller, Get, Post, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { RequiresKey } from '@waymark/service-kit/access';
import type { FastifyReply } from 'fastify';
import { AnswersEffect, AnswersJson, ApiAsked } from './api-asked.js';
import { type Asked, AskedEnd, AskedFlow, AskedIntent } from './asked.js';
import { FlowDto } from './flow.dto.js';
import { RunAsked } from './run-asked.js';

const Force = () => ApiQuery({ name: 'force', required: false, schema: { type: 'string', enum: ['true', 'false'] } });
const NoForce = () => ApiQuery({ name: 'force', required: false, schema: { type: 'string', enum: ['false'] } });

@Controller('v2/flow/:sid')
@RequiresKey('blocks')
@ApiTags('flows')
export class FlowsController {
  constructor(private readonly run: RunAsked) {}

  @Get()
  @AnswersJson()
  @ApiAsked('sid')
  @ApiQuery({ name: 'include', required: false, schema: { type: 'string', enum: ['block'] } })
  @ApiOperation({ summary: 'Read a flow; starts it for a user who qualifies and never came near it' })
  @ApiOkResponse({ type: FlowDto })
  read(@AskedFlow() asked: AskedFlow): Promise<string> {
    return this.run.readFlow(asked);
  }

  @Post('start')
  @AnswersEffect()
  @ApiAsked('sid')
  @Force()
  @ApiOperation({ summary: 'Start a flow; force starts it whatever its targeting' })
  start(@AskedIntent() asked: AskedIntent, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    return this.run.runIntent(asked, { kind: 'start', force: asked.force }, reply);
  }

  @Post('reset')
  @AnswersEffect()
  @ApiAsked('sid')
  @Force()
  @ApiOperation({ summary: 'Forget everything, then start' })
  reset(@AskedIntent() asked: AskedIntent, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    return this.run.runIntent(asked, { kind: 'reset', force: asked.force }, reply);
  }

  @Post('stop')
  @AnswersEffect()
  @ApiAsked('sid')
  @NoForce()
  @ApiOperation({ summary: 'Stop a flow, or keep a user out of it' })
  stop(@AskedEnd() asked: Asked, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    return this.run.runIntent(asked, { kind: 'stop' }, reply);
  }

  @Post('finish')
  @AnswersEffect()
  @ApiAsked('sid')
  @NoForce()
  @ApiOperation({ summary: 'Finish a flow' })
  finish(@AskedEnd() asked: Asked, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    return this.run.runIntent(asked, { kind: 'finish' }, reply);
  }
}
