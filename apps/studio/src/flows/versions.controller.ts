import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { getEnvironment } from '@waymark/domain/access';
import { planRelease } from '@waymark/domain/analysis';
import { diffFlows } from '@waymark/domain/flow-files';
import { loadFlowVersion, pinFlow, revertFlow, unpinFlow } from '@waymark/domain/flows';
import type { DataSource } from 'typeorm';
import { AuditName } from '../access/audit-name.js';
import { ForEditors, ForViewers } from '../access/route-access.js';
import { FlowParams } from './flow-params.dto.js';
import type { ReleasePreview, VersionDifferences } from './flow-views.js';
import { CommittedDto, CommittedQuery, DifferencesQuery } from './versions.dto.js';

/** Users that are looked at before a release. */
const SAMPLE = 10_000;

/** Compares, releases and reverts versions of a flow. */
@Controller('api/:environment/flows/:flow')
@ForEditors()
export class VersionsController {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  @Get('differences')
  @ForViewers()
  async compare(
    @Param() { flow }: FlowParams,
    @Query() { from, to }: DifferencesQuery,
  ): Promise<VersionDifferences> {
    const { manager } = this.dataSource;
    const before = await loadFlowVersion(manager, flow, from);
    const after = await loadFlowVersion(manager, flow, to);
    const differences = diffFlows(before.definition, after.definition, { titles: true });
    return { differences: differences.map(({ text }) => text) };
  }

  /** What a release of the version would do to users; nothing is changed. */
  @Get('release')
  @ForViewers()
  async preview(
    @Param() { environment, flow }: FlowParams,
    @Query() { version }: CommittedQuery,
  ): Promise<ReleasePreview> {
    const { id } = await getEnvironment(this.dataSource, environment);
    const input = { flow, version, sample: SAMPLE, titles: true };
    const plan = await planRelease(this.dataSource, id, input);
    const { differences, migration, users, sampled } = plan;
    return {
      differences: differences.map(({ text }) => text),
      migration,
      users,
      ...(sampled && { sampled: sampled.users }),
    };
  }

  @Post('pin')
  @HttpCode(204)
  async pin(
    @Param() { environment, flow }: FlowParams,
    @Body() { version }: CommittedDto,
    @AuditName() by: string,
  ): Promise<void> {
    const { id } = await getEnvironment(this.dataSource, environment);
    await pinFlow(this.dataSource, id, flow, version, { by });
  }

  @Post('unpin')
  @HttpCode(204)
  async unpin(@Param() { environment, flow }: FlowParams, @AuditName() by: string): Promise<void> {
    const { id } = await getEnvironment(this.dataSource, environment);
    await unpinFlow(this.dataSource, id, flow, { by });
  }

  /** The draft becomes that version again. */
  @Post('revert')
  @HttpCode(204)
  async revert(
    @Param() { flow }: FlowParams,
    @Body() { version }: CommittedDto,
    @AuditName() by: string,
  ): Promise<void> {
    await revertFlow(this.dataSource, flow, version, { by });
  }
}
