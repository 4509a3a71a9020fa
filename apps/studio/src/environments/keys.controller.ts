import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import {
  createKey,
  getEnvironment,
  type KeyView,
  listKeys,
  revokeKey,
} from '@waymark/domain/access';
import { listPersonalFlows } from '@waymark/domain/flows';
import { IsIn, IsInt, IsOptional, IsString, Length, Max, Min } from 'class-validator';
import type { DataSource } from 'typeorm';
import { AuditName } from '../access/audit-name.js';
import { ForEditors, ForViewers } from '../access/route-access.js';
import { EnvironmentParams, IdParams } from './environment-params.dto.js';
import type { OpenTexts } from './environment-views.js';

const DAY_MS = 86_400_000;
const KINDS = ['users', 'blocks'] as const;

export class NewKeyDto {
  @IsIn(KINDS)
  kind: (typeof KINDS)[number];

  @IsOptional()
  @IsString()
  @Length(1, 128)
  name?: string;

  /** Days until it expires; never without. */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(3_650)
  days?: number;
}

/** API keys, and what a public one would let anybody read. */
@Controller('api/:environment')
@ForViewers()
export class KeysController {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  @Get('keys')
  async list(@Param() { environment }: EnvironmentParams): Promise<{ keys: KeyView[] }> {
    return { keys: await listKeys(this.dataSource, environment) };
  }

  @Post('keys')
  @ForEditors()
  @HttpCode(200)
  async create(
    @Param() { environment }: EnvironmentParams,
    @Body() { kind, name, days }: NewKeyDto,
    @AuditName() by: string,
  ): Promise<{ key: string }> {
    const wanted = {
      ...{ environment, kind },
      ...(name && { name }),
      ...(days && { expiresInMs: days * DAY_MS }),
    };
    const { key } = await createKey(this.dataSource, wanted, { by });
    return { key };
  }

  @Post('keys/:id/revoke')
  @ForEditors()
  @HttpCode(204)
  async revoke(@Param() { id }: IdParams, @AuditName() by: string): Promise<void> {
    await revokeKey(this.dataSource, id, { by });
  }

  @Get('open-texts')
  async openTexts(@Param() { environment }: EnvironmentParams): Promise<OpenTexts> {
    const { id, verification } = await getEnvironment(this.dataSource, environment);
    if (verification === 'required') return { flows: [] };
    return { flows: await listPersonalFlows(this.dataSource.manager, id) };
  }
}
