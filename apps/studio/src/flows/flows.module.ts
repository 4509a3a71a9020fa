import { Module } from '@nestjs/common';
import { EnvironmentsModule } from '../environments/environments.module.js';
import { FlowsController } from './flows.controller.js';
import { ReportService } from './report.service.js';
import { FlowsService } from './flows.service.js';

@Module({ imports: [EnvironmentsModule], controllers: [FlowsController], providers: [FlowsService, ReportService] })
export class FlowsModule {}
