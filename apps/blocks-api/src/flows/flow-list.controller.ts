import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { RequiresKey } from '@waymark/service-kit/access';
import { ApiRefusals } from '@waymark/service-kit/docs';
import { FromRequest } from '@waymark/service-kit/requests';
import { AnswersJson, ApiActor, ApiFlowNames } from './api-state-request.js';
import { FlowListDto } from './flow-list.dto.js';
import { type FlowListRequest, parseFlowList } from './flow-list-request.js';
import { FlowsService } from './flows.service.js';

@Controller('v2/flows')
@RequiresKey('blocks')
@ApiTags('flows')
export class FlowListController {
  constructor(private readonly flows: FlowsService) {}

  @Get()
  @AnswersJson()
  @ApiActor()
  @ApiFlowNames()
  @ApiQuery({ name: 'include', required: false, schema: { type: 'string', enum: ['block'] } })
  @ApiOperation({ summary: 'Read several flows at once; starts those that the user qualifies for and never came near' })
  @ApiOkResponse({ type: FlowListDto })
  @ApiRefusals(400, 401, 403, 404, 503)
  read(@FromRequest(parseFlowList) request: FlowListRequest): Promise<string> {
    return this.flows.readFlows(request);
  }
}
