import { Controller, Get, Param, Query, StreamableFile } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { describeFlowTypes } from '@waymark/domain/flow-files';
import { flowText, loadFlowVersion } from '@waymark/domain/flows';
import { drawFlow } from '@waymark/picture';
import type { DataSource } from 'typeorm';
import { ForViewers } from '../access/route-access.js';
import { FlowParams } from './flow-params.dto.js';
import { VersionQuery } from './version-query.dto.js';

/** A version of a flow as files to download. */
@Controller('api/:environment/flows/:flow/files')
@ForViewers()
export class FilesController {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** As it was written; JSON may be written too. */
  @Get('source')
  async source(
    @Param() { flow }: FlowParams,
    @Query() { version = 0 }: VersionQuery,
  ): Promise<StreamableFile> {
    const text = flowText(await loadFlowVersion(this.dataSource.manager, flow, version));
    return text.trimStart().startsWith('{')
      ? fileOf(text, `${flow}.json`, 'application/json')
      : fileOf(text, `${flow}.yaml`, 'application/yaml');
  }

  @Get('picture')
  async picture(
    @Param() { flow }: FlowParams,
    @Query() { version = 0 }: VersionQuery,
  ): Promise<StreamableFile> {
    const { definition } = await loadFlowVersion(this.dataSource.manager, flow, version);
    return fileOf(drawFlow(definition, 'svg', { version }), `${flow}.svg`, 'image/svg+xml');
  }

  /** For applications that use the flow with @waymark/client. */
  @Get('types')
  async types(
    @Param() { flow }: FlowParams,
    @Query() { version = 0 }: VersionQuery,
  ): Promise<StreamableFile> {
    const { definition } = await loadFlowVersion(this.dataSource.manager, flow, version);
    return fileOf(describeFlowTypes([definition]), `${flow}.d.ts`, 'text/plain');
  }
}

function fileOf(text: string, name: string, type: string): StreamableFile {
  return new StreamableFile(Buffer.from(text), {
    type: `${type}; charset=utf-8`,
    disposition: `attachment; filename="${name}"`,
  });
}
