import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Author } from '@waymark/domain/database/audit';
import { getEnvironment } from '@waymark/domain/access';
import { diffFlows } from '@waymark/domain/flow-files';
import { loadFlowVersion, pinFlow, revertFlow, unpinFlow } from '@waymark/domain/flows';
import type { DataSource } from 'typeorm';
import type { FlowParams } from './flow-params.dto.js';
import type { VersionDifferences } from './flow-views.js';
import type { CommittedDto, DifferencesQuery } from './versions.dto.js';

/** What can be done with versions that there are. */
@Injectable()
export class VersionsService {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async compare({ flow }: FlowParams, { from, to }: DifferencesQuery): Promise<VersionDifferences> {
    const { manager } = this.dataSource;
    const [before, after] = [
      await loadFlowVersion(manager, flow, from),
      await loadFlowVersion(manager, flow, to),
    ];
    return { differences: diffFlows(before.definition, after.definition).map(({ text }) => text) };
  }

  async pin(
    { environment, flow }: FlowParams,
    { version }: CommittedDto,
    author: Author,
  ): Promise<void> {
    const { id } = await getEnvironment(this.dataSource, environment);
    await pinFlow(this.dataSource, id, flow, version, author);
  }

  async unpin({ environment, flow }: FlowParams, author: Author): Promise<void> {
    const { id } = await getEnvironment(this.dataSource, environment);
    await unpinFlow(this.dataSource, id, flow, author);
  }

  async revert({ flow }: FlowParams, { version }: CommittedDto, author: Author): Promise<void> {
    await revertFlow(this.dataSource, flow, version, author);
  }
}
