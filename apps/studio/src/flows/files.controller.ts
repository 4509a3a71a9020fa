import { Controller, Get, Inject, Param, Query, type StreamableFile } from '@nestjs/common';
import { ForViewers } from '../access/route-access.js';
import { FilesService } from './files.service.js';
import { FlowParams } from './flow-params.dto.js';
import { VersionQuery } from './version-query.dto.js';

@Controller('api/:environment/flows/:flow/files')
@ForViewers()
export class FilesController {
  constructor(@Inject(FilesService) private readonly files: FilesService) {}

  @Get('source')
  source(@Param() { flow }: FlowParams, @Query() { version }: VersionQuery): Promise<StreamableFile> {
    return this.files.source(flow, version);
  }

  @Get('picture')
  picture(@Param() { flow }: FlowParams, @Query() { version }: VersionQuery): Promise<StreamableFile> {
    return this.files.picture(flow, version);
  }

  @Get('types')
  types(@Param() { flow }: FlowParams, @Query() { version }: VersionQuery): Promise<StreamableFile> {
    return this.files.types(flow, version);
  }
}
