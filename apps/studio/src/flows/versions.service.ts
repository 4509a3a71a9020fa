import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Author } from '@waymark/domain/database/audit';
import { getEnvironment } from '@waymark/domain/access';
import { planRelease } from '@waymark/domain/analysis';
import { diffFlows } from '@waymark/domain/flow-files';
import { loadFlowVersion, pinFlow, revertFlow, unpinFlow } from '@waymark/domain/flows';
import type { DataSource } from 'typeorm';
import type { FlowParams } from './flow-params.dto.js';
import type { ReleasePreview, VersionDifferences } from './flow-views.js';
import type { CommittedDto, CommittedQuery, DifferencesQuery } from './versions.dto.js';

/** Users that are looked at before a release. */
const SAMPLE = 10_000;

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
    return {
      differences: diffFlows(before.definition, after.definition, { titles: true }).map(
        ({ text }) => text,
      ),
    };
  }

  async preview(
    { environment, flow }: FlowParams,
    { version }: CommittedQuery,
  ): Promise<ReleasePreview> {
    const { id } = await getEnvironment(this.dataSource, environment);
    const asked = { flow, version, sample: SAMPLE, titles: true };
    const { differences, migration, users, sampled } = await planRelease(
      this.dataSource,
      id,
      asked,
    );
    return {
      differences: differences.map(({ text }) => text),
      migration,
      users,
      ...(sampled && { sampled: sampled.users }),
    };
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
