import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import {
  createEnvironment,
  listEnvironments,
  setVerification,
  VERIFICATION_MODES,
  type VerificationMode,
} from '@waymark/domain/access';
import { setReleases } from '@waymark/domain/flows';
import { IsBoolean, IsIn } from 'class-validator';
import type { DataSource } from 'typeorm';
import { AuditName } from '../access/audit-name.js';
import { ForEditors, ForViewers } from '../access/route-access.js';
import type { EnvironmentLine } from './environment-views.js';
import { EnvironmentParams } from './environment-params.dto.js';

export class VerificationDto {
  @IsIn(VERIFICATION_MODES)
  verification: VerificationMode;
}

export class ReleasesDto {
  @IsBoolean()
  byPin: boolean;
}

/** Environments, and what each requires of user tokens and releases. */
@Controller('api/environments')
@ForViewers()
export class EnvironmentsController {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  @Get()
  async list(): Promise<{ environments: string[]; lines: EnvironmentLine[] }> {
    const found = await listEnvironments(this.dataSource);
    return {
      environments: found.map(({ name }) => name),
      lines: found.map(({ name, verification, releasesByPin }) => ({
        name,
        verification,
        releasesByPin,
      })),
    };
  }

  @Post()
  @ForEditors()
  @HttpCode(204)
  async create(@Body() { environment }: EnvironmentParams, @AuditName() by: string): Promise<void> {
    await createEnvironment(this.dataSource, environment, { by });
  }

  @Post(':environment/verification')
  @ForEditors()
  @HttpCode(204)
  async verify(
    @Param() { environment }: EnvironmentParams,
    @Body() { verification }: VerificationDto,
    @AuditName() by: string,
  ): Promise<void> {
    await setVerification(this.dataSource, environment, verification, { by });
  }

  @Post(':environment/releases')
  @ForEditors()
  @HttpCode(204)
  async release(
    @Param() { environment }: EnvironmentParams,
    @Body() { byPin }: ReleasesDto,
    @AuditName() by: string,
  ): Promise<void> {
    await setReleases(this.dataSource, environment, byPin, { by });
  }
}
