import { Module } from '@nestjs/common';
import { EnvironmentsModule } from '../environments/environments.module.js';
import { FlowsController } from './flows.controller.js';
import { ReportService } from './report.service.js';
import { ReportsController } from './reports.controller.js';
import { FlowsService } from './flows.service.js';
import { VersionsController } from './versions.controller.js';
import { VersionsService } from './versions.service.js';

@Module({
  imports: [EnvironmentsModule],
  controllers: [FlowsController, ReportsController, VersionsController],
  providers: [FlowsService, ReportService, VersionsService],
})
export class FlowsModule {}
