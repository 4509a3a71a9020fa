import { Inject, Injectable, type StreamableFile } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { FlowDefinition } from '@waymark/domain/engine';
import { loadFlowVersion } from '@waymark/domain/flows';
import { type FlowReport, reportFlow } from '@waymark/domain/impact';
import { findUsers } from '@waymark/domain/user-records';
import type { DataSource } from 'typeorm';
import { EnvironmentsService } from '../environments/environments.service.js';
import { drawUntangled } from '../picture/draw-untangled.js';
import { streamWork } from '../work/stream-work.js';
import type { FlowParams } from './flow-params.dto.js';
import type { ReportShown, UsersThere } from './flow-views.js';
import type { ReportQuery, UsersAtQuery } from './report-query.dto.js';

/** Users at a block who are named. */
const NAMED = 100;

/** Where the users of a flow are. */
@Injectable()
export class ReportService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(EnvironmentsService) private readonly environments: EnvironmentsService,
  ) {}

  /** Counts page by page, telling how far it is; ends with the request. */
  report({ environment, flow }: FlowParams, { version, since }: ReportQuery): StreamableFile {
    return streamWork(async ({ progress, signal }): Promise<ReportShown> => {
      const { id } = await this.environments.get(environment);
      const input = { flow, ...(version !== undefined && { version }), ...(since && { since }) };
      const onProgress = (users: number, done: number): void => progress({ users, done });
      const report = await reportFlow(this.dataSource, id, input, { signal, onProgress });
      const { definition } = await loadFlowVersion(this.dataSource.manager, flow, Number(report.version));
      return { report, ...drawReport(definition, report) };
    });
  }

  /** Looks page by page, until as many are found as are named. */
  usersAt({ environment, flow }: FlowParams, { version, since, block }: UsersAtQuery): StreamableFile {
    return streamWork(async ({ progress, signal }): Promise<UsersThere> => {
      const { id } = await this.environments.get(environment);
      const filter = { flow, block, ...(version !== undefined && { version }), ...(since && { since }) };
      const users: string[] = [];
      const onProgress = (done: number): void => progress({ users: users.length, done });
      for await (const { identifier } of findUsers(this.dataSource, id, filter, { signal, onProgress })) {
        if (users.length === NAMED) return { users, isAll: false };
        users.push(identifier);
      }
      return { users, isAll: true };
    });
  }
}

/** With the share of each path (E14) and who is in each item; how many are in each block, the page writes beside the blocks. */
function drawReport(definition: FlowDefinition, { version, ...report }: FlowReport): { svg?: string } {
  const blocks = report.blocks.map(({ block, container, reached, now, paths }) => {
    return { block, reached, paths, ...(container !== undefined && now > 0 && { now }) };
  });
  return drawUntangled(definition, { version: Number(version), numbers: { ...report, blocks } });
}
