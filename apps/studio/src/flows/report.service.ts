import { Inject, Injectable, type StreamableFile } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { reportFlow } from '@waymark/domain/impact';
import type { DataSource } from 'typeorm';
import { EnvironmentsService } from '../environments/environments.service.js';
import { streamWork } from '../work/stream-work.js';
import type { FlowParams } from './flow-params.dto.js';
import type { ReportQuery } from './report-query.dto.js';

/** Where the users of a flow are. */
@Injectable()
export class ReportService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(EnvironmentsService) private readonly environments: EnvironmentsService,
  ) {}

  /** Counts page by page, telling how far it is; ends with the request. */
  report({ environment, flow }: FlowParams, { version, since }: ReportQuery): StreamableFile {
    return streamWork(async ({ progress, signal }) => {
      const { id } = await this.environments.get(environment);
      const input = { flow, ...(version !== undefined && { version }), ...(since && { since }) };
      return reportFlow(this.dataSource, id, input, { signal, onProgress: (users, done) => progress({ users, done }) });
    });
  }
}
