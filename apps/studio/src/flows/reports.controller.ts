import { Controller, Get, Inject, Param, Query, type StreamableFile } from '@nestjs/common';
import { AskedFrom, type Asker } from '../access/asker.js';
import { ForViewers } from '../access/route-access.js';
import { FlowParams } from './flow-params.dto.js';
import { ReportQuery, UsersAtQuery } from './report-query.dto.js';
import { ReportService } from './report.service.js';

@Controller('api/:environment/flows/:flow')
@ForViewers()
export class ReportsController {
  constructor(@Inject(ReportService) private readonly reports: ReportService) {}

  @Get('report')
  report(@Param() params: FlowParams, @Query() query: ReportQuery, @AskedFrom() asker: Asker): StreamableFile {
    return this.reports.report(params, query, asker);
  }

  @Get('users')
  usersAt(@Param() params: FlowParams, @Query() query: UsersAtQuery): StreamableFile {
    return this.reports.usersAt(params, query);
  }
}
