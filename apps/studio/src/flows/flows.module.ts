import { Module } from '@nestjs/common';
import { FilesController } from './files.controller.js';
import { FilesService } from './files.service.js';
import { FlowsController } from './flows.controller.js';
import { ReportService } from './report.service.js';
import { ReportsController } from './reports.controller.js';
import { FlowsService } from './flows.service.js';
import { VersionsController } from './versions.controller.js';
import { VersionsService } from './versions.service.js';

@Module({
  controllers: [FilesController, FlowsController, ReportsController, VersionsController],
  providers: [FilesService, FlowsService, ReportService, VersionsService],
})
export class FlowsModule {}
