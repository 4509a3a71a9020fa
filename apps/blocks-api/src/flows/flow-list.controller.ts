import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { IDENTIFIER_PATTERN } from '@waymark/domain/engine';
import { RequiresKey } from '@waymark/service-kit/access';
import { ApiRefusals } from '@waymark/service-kit/docs';
import { FromRequest } from '@waymark/service-kit/requests';
import { AnswersJson, ApiActor } from './api-state-request.js';
import { FlowListDto } from './flow-list.dto.js';
import { type FlowListRequest, MOST_FLOWS, parseFlowList } from './flow-list-request.js';
import { FlowsService } from './flows.service.js';

const NAME = { type: 'string' as const, pattern: `^${IDENTIFIER_PATTERN}(@(0|[1-9][0-9]*|latest|uncommitted))?$` };

@Controller('v2/flows')
@RequiresKey('blocks')
@ApiTags('flows')
export class FlowListController {
  constructor(private readonly flows: FlowsService) {}

  @Get()
  @AnswersJson()
  @ApiActor()
  @ApiQuery({
    name: 'flow',
    schema: { type: 'array', items: NAME, minItems: 1, maxItems: MOST_FLOWS },
    description: 'NAME or NAME@VERSION, each flow once; latest where no version is given',
  })
  @ApiQuery({ name: 'include', required: false, schema: { type: 'string', enum: ['block'] } })
  @ApiOperation({ summary: 'Read several flows at once; starts those that the user qualifies for and never came near' })
  @ApiOkResponse({ type: FlowListDto })
  @ApiRefusals(400, 401, 403, 404, 503)
  read(@FromRequest(parseFlowList) request: FlowListRequest): Promise<string> {
    return this.flows.readFlows(request);
  }
}
