import {
  Body,
  Controller,
  Get,
  HttpCode,
  Inject,
  Param,
  Post,
  Query,
  type StreamableFile,
} from '@nestjs/common';
import type { KeyView } from '@waymark/domain/access';
import type { ListedReset } from '@waymark/domain/states';
import { AuditName } from '../access/audit-name.js';
import { ForEditors, ForViewers } from '../access/route-access.js';
import { EnvironmentParams } from '../environments/environment-params.dto.js';
import { FlowParams } from '../flows/flow-params.dto.js';
import { IdParams, LogQuery, NewKeyDto, ResetDto } from './operations.dto.js';
import type { ChangeRow, EffectsFound, OpenTexts } from './operations-views.js';
import { OperationsService } from './operations.service.js';

@Controller('api/:environment')
@ForViewers()
export class OperationsController {
  constructor(@Inject(OperationsService) private readonly operations: OperationsService) {}

  @Get('effects')
  effects(@Param() { environment }: EnvironmentParams): Promise<EffectsFound> {
    return this.operations.effects(environment);
  }

  @Post('effects/:id/retry')
  @ForEditors()
  @HttpCode(204)
  retry(@Param() params: IdParams, @AuditName() by: string): Promise<void> {
    return this.operations.retry(params, { by });
  }

  @Get('runs')
  runs(@Param() { environment }: EnvironmentParams): Promise<{ runs: ListedReset[] }> {
    return this.operations.runs(environment);
  }

  @Post('runs/:id/undo')
  @ForEditors()
  @HttpCode(200)
  undo(@Param() params: IdParams, @AuditName() by: string): StreamableFile {
    return this.operations.undo(params, { by });
  }

  @Post('flows/:flow/reset')
  @ForEditors()
  @HttpCode(200)
  reset(
    @Param() params: FlowParams,
    @Body() { reason, ...whom }: ResetDto,
    @AuditName() by: string,
  ): StreamableFile {
    return this.operations.reset(params, whom, { by, ...(reason && { reason }) });
  }

  @Get('open-texts')
  openTexts(@Param() { environment }: EnvironmentParams): Promise<OpenTexts> {
    return this.operations.openTexts(environment);
  }

  @Get('keys')
  keys(@Param() { environment }: EnvironmentParams): Promise<{ keys: KeyView[] }> {
    return this.operations.keys(environment);
  }

  @Post('keys')
  @ForEditors()
  @HttpCode(200)
  createKey(
    @Param() { environment }: EnvironmentParams,
    @Body() wanted: NewKeyDto,
    @AuditName() by: string,
  ): Promise<{ key: string }> {
    return this.operations.createKey(environment, wanted, { by });
  }

  @Post('keys/:id/revoke')
  @ForEditors()
  @HttpCode(204)
  revokeKey(@Param() params: IdParams, @AuditName() by: string): Promise<void> {
    return this.operations.revokeKey(params, { by });
  }

  @Get('log')
  log(
    @Param() _params: EnvironmentParams,
    @Query() filter: LogQuery,
  ): Promise<{ entries: ChangeRow[] }> {
    return this.operations.log(filter);
  }
}
