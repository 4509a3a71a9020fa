import { Body, Controller, Get, HttpCode, Inject, Param, Post } from '@nestjs/common';
import type { ListedEndpoint } from '@waymark/domain/outbound';
import { AuditName } from '../access/audit-name.js';
import { ForEditors, ForViewers } from '../access/route-access.js';
import { EnvironmentParams } from '../environments/environment-params.dto.js';
import { EndpointParams, NewEndpointDto } from './endpoint-params.dto.js';
import type { EndpointsShown, MadeEndpoint, TestResult } from './endpoint-views.js';
import { EndpointsService } from './endpoints.service.js';

@Controller('api/:environment/endpoints')
@ForEditors()
export class EndpointsController {
  constructor(@Inject(EndpointsService) private readonly endpoints: EndpointsService) {}

  @Get()
  @ForViewers()
  list(@Param() { environment }: EnvironmentParams): Promise<EndpointsShown<ListedEndpoint>> {
    return this.endpoints.list(environment);
  }

  @Post()
  @HttpCode(200)
  add(
    @Param() { environment }: EnvironmentParams,
    @Body() wanted: NewEndpointDto,
    @AuditName() by: string,
  ): Promise<MadeEndpoint> {
    return this.endpoints.add(environment, wanted, { by });
  }

  @Post(':name/remove')
  @HttpCode(204)
  remove(@Param() params: EndpointParams, @AuditName() by: string): Promise<void> {
    return this.endpoints.remove(params, { by });
  }

  @Post(':name/test')
  @HttpCode(200)
  test(@Param() params: EndpointParams): Promise<TestResult> {
    return this.endpoints.test(params);
  }

  @Post(':name/pause')
  @HttpCode(204)
  pause(@Param() params: EndpointParams, @AuditName() by: string): Promise<void> {
    return this.endpoints.pause(params, { by });
  }

  @Post(':name/resume')
  @HttpCode(204)
  resume(@Param() params: EndpointParams, @AuditName() by: string): Promise<void> {
    return this.endpoints.resume(params, { by });
  }
}
