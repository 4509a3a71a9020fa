import { Controller, Get, Post, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { RequiresKey } from '@waymark/service-kit/access';
import type { FastifyReply } from 'fastify';
import { AnswersEffect, AnswersJson, ApiAsked } from '../flows/api-asked.js';
import { type Asked, AskedBlock, AskedTransition } from '../flows/asked.js';
import { RunAsked } from '../flows/run-asked.js';
import { BlockDto } from './block.dto.js';

@Controller('v2/block/:uid')
@RequiresKey('blocks')
@ApiTags('blocks')
export class BlocksController {
  constructor(private readonly run: RunAsked) {}

  @Get()
  @AnswersJson()
  @ApiAsked('uid')
  @ApiOperation({ summary: 'Read a block; never starts its flow' })
  @ApiOkResponse({ type: BlockDto })
  read(@AskedBlock() asked: Asked): Promise<string> {
    return this.run.readBlock(asked);
  }

  @Post('transition')
  @AnswersEffect()
  @ApiAsked('uid')
  @ApiQuery({ name: 'transitions', schema: { type: 'array', items: { type: 'string' }, minItems: 1 } })
  @ApiOperation({ summary: 'Leave an active block by one or more of its transitions' })
  transition(@AskedTransition() asked: AskedTransition, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    return this.run.runTransition(asked, reply);
  }
}
