import { Controller, Get, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiRefusals, FromRequest, RequiresKey } from '@waymark/service-kit/http';
import type { FastifyReply } from 'fastify';
import { AnswersJson, ApiActorRequest } from './api-state-request.js';
import { FlowListDto } from './flow-list.dto.js';
import { FlowsService } from './flows.service.js';
import { FlowListQuery } from './queries.js';
import { answerRead } from './read-answer.js';
import { type FlowListRequest, parseFlowList } from './state-request.js';

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
