import { Module } from '@nestjs/common';
import { EnvironmentsModule } from '../environments/environments.module.js';
import { FlowsController } from './flows.controller.js';
import { ReportService } from './report.service.js';
import { ReportsController } from './reports.controller.js';
import { FlowsService } from './flows.service.js';

@Module({
  imports: [EnvironmentsModule],
  controllers: [FlowsController, ReportsController],
  providers: [FlowsService, ReportService],
})
export class FlowsModule {}
