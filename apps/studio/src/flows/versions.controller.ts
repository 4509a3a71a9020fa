import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import { AuditName } from '../access/audit-name.js';
import { ForEditors, ForViewers } from '../access/route-access.js';
import { FlowParams } from './flow-params.dto.js';
import type { ReleasePreview, VersionDifferences } from './flow-views.js';
import { CommittedDto, CommittedQuery, DifferencesQuery } from './versions.dto.js';
import { VersionsService } from './versions.service.js';

@Controller('api/:environment/flows/:flow')
@ForEditors()
export class VersionsController {
  constructor(@Inject(VersionsService) private readonly versions: VersionsService) {}

  @Get('differences')
  @ForViewers()
  compare(
    @Param() params: FlowParams,
    @Query() query: DifferencesQuery,
  ): Promise<VersionDifferences> {
    return this.versions.compare(params, query);
  }

  /** What a release of the version would do to users; nothing is changed. */
  @Get('release')
  @ForViewers()
  preview(@Param() params: FlowParams, @Query() query: CommittedQuery): Promise<ReleasePreview> {
    return this.versions.preview(params, query);
  }

  @Post('pin')
  @HttpCode(204)
  pin(
    @Param() params: FlowParams,
    @Body() what: CommittedDto,
    @AuditName() by: string,
  ): Promise<void> {
    return this.versions.pin(params, what, { by });
  }

  @Post('unpin')
  @HttpCode(204)
  unpin(@Param() params: FlowParams, @AuditName() by: string): Promise<void> {
    return this.versions.unpin(params, { by });
  }

  /** The draft becomes that version again. */
  @Post('revert')
  @HttpCode(204)
  revert(
    @Param() params: FlowParams,
    @Body() what: CommittedDto,
    @AuditName() by: string,
  ): Promise<void> {
    return this.versions.revert(params, what, { by });
  }
}
