import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { type FlowDefinition, partsOf, titleOf } from '@waymark/domain/engine';
import { getEnvironment } from '@waymark/domain/access';
import {
  Flow,
  FlowVersion,
  type ListedFlow,
  listFlows,
  listPins,
  listReleased,
  loadFlowVersion,
  loadLatestIn,
  wouldCommit,
} from '@waymark/domain/flows';
import { countInProgress } from '@waymark/domain/states';
import type { DataSource } from 'typeorm';
import { type RequestTurn, Turn } from '../access/request-turn.js';
import { ForViewers } from '../access/route-access.js';
import { EnvironmentParams } from '../environments/environment-params.dto.js';
import { PictureQuery, VersionQuery } from './version-query.dto.js';
import type { PictureResult } from '../reader/picture-result.js';
import { Reader } from '../reader/reader.js';
import { Cached } from '../work/cached.js';
import { FlowParams } from './flow-params.dto.js';
import type { FlowShown, InProgress, VersionLine } from './flow-views.js';

/** Lists, shows and draws flows. */
@Controller('api/:environment')
@ForViewers()
export class FlowsController {
  private readonly counted = new Map<string, Cached<InProgress>>();

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(Reader) private readonly reader: Reader,
  ) {}

  @Get('flows')
  async list(@Param() _params: EnvironmentParams): Promise<{ flows: ListedFlow[] }> {
    return { flows: await listFlows(this.dataSource.manager) };
  }

  /** Reads every state, so that all who look within a minute share one count. */
  @Get('in-progress')
  async inProgress(@Param() { environment }: EnvironmentParams): Promise<InProgress> {
    const { id } = await getEnvironment(this.dataSource, environment);
    const counted = this.counted.get(id) ?? new Cached(() => this.count(id));
    this.counted.set(id, counted);
    return counted.get();
  }

  /**
   * With the version that is requested, else what `latest` means in the environment (S34), else
   * version 0.
   */
  @Get('flows/:flow')
  async show(
    @Param() { environment, flow }: FlowParams,
    @Query() { version: asked }: VersionQuery,
  ): Promise<FlowShown> {
    const { manager } = this.dataSource;
    const { id } = await getEnvironment(this.dataSource, environment);
    const { latest, highest, releasesByPin } = await loadLatestIn(manager, id, flow);
    const { version, definition } = await loadFlowVersion(manager, flow, asked ?? latest ?? 0);
    const draft = await loadFlowVersion(manager, flow, 0);
    const { name, archivedAt } = await manager.findOneByOrFail(Flow, { flow });
    const differs = await wouldCommit(manager, draft.definition);
    const about = { flow, name, archived: archivedAt !== null, latest, highest, differs };
    return {
      ...about,
      releasesByPin,
      released: await listReleased(manager, flow),
      pins: await listPins(manager, flow),
      versions: await this.loadVersions(flow),
      version,
      definition,
      titles: titlesOf(definition),
    };
  }

  @Get('flows/:flow/picture')
  async draw(
    @Param() { environment, flow }: FlowParams,
    @Query() { version: asked, folded }: PictureQuery,
    @Turn() turn: RequestTurn,
  ): Promise<PictureResult> {
    const { manager } = this.dataSource;
    const { id } = await getEnvironment(this.dataSource, environment);
    const version = asked ?? (await loadLatestIn(manager, id, flow)).latest ?? 0;
    const { definition } = await loadFlowVersion(manager, flow, version);
    return this.reader.draw(turn, definition, { version, ...(folded && { folded }) });
  }

  private async loadVersions(flow: string): Promise<VersionLine[]> {
    const versions = await this.dataSource.getRepository(FlowVersion).find({
      where: { flow },
      select: {
        version: true,
        message: true,
        migration: true,
        author: true,
        createdAt: true,
        updatedAt: true,
      },
      order: { version: 'DESC' },
    });
    return versions.map(({ version, message, migration, author: by, createdAt, updatedAt }) => {
      // Version 0 is as old as its last change.
      return {
        version,
        message,
        migration,
        by,
        createdAt: (version === 0 ? updatedAt : createdAt).toISOString(),
      };
    });
  }

  private async count(environmentId: string): Promise<InProgress> {
    const counts = await countInProgress(this.dataSource, environmentId);
    return { counts: counts && Object.fromEntries(counts), at: new Date().toISOString() };
  }
}

/** By identifier, of blocks and items that have one. */
export function titlesOf(definition: FlowDefinition): Record<string, string> {
  const titled = partsOf(definition).map((part) => [part.id, titleOf(part)] as const);
  return Object.fromEntries(
    titled.filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
}
