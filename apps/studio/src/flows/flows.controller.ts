import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { AskedFrom, type Asker } from '../access/asker.js';
import type { ListedFlow } from '@waymark/domain/flows';
import { ForViewers } from '../access/route-access.js';
import { EnvironmentParams } from '../environments/environment-params.dto.js';
import type { Drawn } from '../reader/drawn.js';
import { FlowParams } from './flow-params.dto.js';
import type { FlowShown, InProgress } from './flow-views.js';
import { FlowsService } from './flows.service.js';
import { VersionQuery } from './version-query.dto.js';

@Controller('api/:environment')
@ForViewers()
export class FlowsController {
  constructor(@Inject(FlowsService) private readonly flows: FlowsService) {}

  @Get('flows')
  list(@Param() _params: EnvironmentParams): Promise<{ flows: ListedFlow[] }> {
    return this.flows.list();
  }

  @Get('in-progress')
  inProgress(@Param() { environment }: EnvironmentParams): Promise<InProgress> {
    return this.flows.inProgress(environment);
  }

  @Get('flows/:flow')
  show(@Param() params: FlowParams, @Query() { version }: VersionQuery): Promise<FlowShown> {
    return this.flows.show(params, version);
  }

  @Get('flows/:flow/picture')
  draw(@Param() params: FlowParams, @Query() { version }: VersionQuery, @AskedFrom() asker: Asker): Promise<Drawn> {
    return this.flows.draw(params, version, asker);
  }
}
