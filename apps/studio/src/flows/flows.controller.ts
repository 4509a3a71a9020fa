import { Controller, Get, Inject, Param, Query, type StreamableFile } from '@nestjs/common';
import type { ListedFlow } from '@waymark/domain/flows';
import { Turn, type RequestTurn } from '../access/request-turn.js';
import { ForViewers } from '../access/route-access.js';
import { EnvironmentParams } from '../environments/environment-params.dto.js';
import type { PictureResult } from '../reader/picture-result.js';
import { FlowParams } from './flow-params.dto.js';
import type { AnswersShown, FlowShown, InProgress } from './flow-views.js';
import { FlowsService } from './flows.service.js';
import { PictureQuery, VersionQuery } from './version-query.dto.js';
import { AnswersQuery, ReportQuery, SplitQuery, UsersAtQuery } from './report-query.dto.js';
import { ReportService } from './report.service.js';

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
  draw(
    @Param() params: FlowParams,
    @Query() query: PictureQuery,
    @Turn() turn: RequestTurn,
  ): Promise<PictureResult> {
    return this.flows.draw(params, query, turn);
  }
}

@Controller('api/:environment/flows/:flow')
@ForViewers()
export class ReportsController {
  constructor(@Inject(ReportService) private readonly reports: ReportService) {}

  @Get('report')
  report(
    @Param() params: FlowParams,
    @Query() query: ReportQuery,
    @Turn() turn: RequestTurn,
  ): StreamableFile {
    return this.reports.report(params, query, turn);
  }

  @Get('split')
  split(@Param() params: FlowParams, @Query() query: SplitQuery): StreamableFile {
    return this.reports.split(params, query);
  }

  @Get('answers')
  answers(@Param() params: FlowParams, @Query() query: AnswersQuery): Promise<AnswersShown> {
    return this.reports.answers(params, query);
  }

  @Get('users')
  usersAt(@Param() params: FlowParams, @Query() query: UsersAtQuery): StreamableFile {
    return this.reports.usersAt(params, query);
  }
}
