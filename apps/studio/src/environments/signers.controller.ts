import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import {
  addSigner,
  createSigner,
  listSigners,
  removeSigner,
  type SignerView,
} from '@waymark/domain/access';
import { IsOptional, IsString, MaxLength } from 'class-validator';
import type { DataSource } from 'typeorm';
import { AuditName } from '../access/audit-name.js';
import { ForEditors, ForViewers } from '../access/route-access.js';
import { EnvironmentParams } from './environment-params.dto.js';
import type { MadeSigner } from './environment-views.js';

export class SignerNameDto {
  @IsString()
  @MaxLength(128)
  name: string;
}

export class NewSignerDto extends SignerNameDto {
  /** PEM or JWK; a pair is made where it is left out. */
  @IsOptional()
  @IsString()
  @MaxLength(16_384)
  publicKey?: string;
}

/** Who vouches for users in user tokens (V2). */
@Controller('api/:environment/signers')
@ForEditors()
export class SignersController {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  @Get()
  @ForViewers()
  async list(@Param() { environment }: EnvironmentParams): Promise<{ signers: SignerView[] }> {
    return { signers: await listSigners(this.dataSource, environment) };
  }

  @Post()
  @HttpCode(200)
  async add(
    @Param() { environment }: EnvironmentParams,
    @Body() { name, publicKey }: NewSignerDto,
    @AuditName() by: string,
  ): Promise<MadeSigner> {
    const wanted = { environment, name };
    if (publicKey !== undefined) {
      await addSigner(this.dataSource, { ...wanted, publicKey }, { by });
      return { privateKey: null };
    }
    const { privateKey } = await createSigner(this.dataSource, wanted, { by });
    return { privateKey };
  }

  @Post('remove')
  @HttpCode(204)
  async remove(
    @Param() { environment }: EnvironmentParams,
    @Body() { name }: SignerNameDto,
    @AuditName() by: string,
  ): Promise<void> {
    await removeSigner(this.dataSource, { environment, name }, { by });
  }
}
