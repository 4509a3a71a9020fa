import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { getEnvironment, loadWebhookSecret, rotateWebhookSecret } from '@waymark/domain/access';
import type { DataSource } from 'typeorm';
import { AuditName } from '../access/audit-name.js';
import { ForEditors } from '../access/route-access.js';
import { EnvironmentParams } from './environment-params.dto.js';

/** The secret that signs the webhooks of flow files (E9). Viewers do not need it. */
@Controller('api/:environment/webhook-secret')
@ForEditors()
export class WebhookSecretController {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  @Post('reveal')
  @HttpCode(200)
  async reveal(@Param() { environment }: EnvironmentParams): Promise<{ secret: string | null }> {
    const { id } = await getEnvironment(this.dataSource, environment);
    return { secret: await loadWebhookSecret(this.dataSource, id) };
  }

  @Post('rotate')
  @HttpCode(200)
  async rotate(
    @Param() { environment }: EnvironmentParams,
    @AuditName() by: string,
  ): Promise<{ secret: string }> {
    const { id } = await getEnvironment(this.dataSource, environment);
    return { secret: await rotateWebhookSecret(this.dataSource, id, { by }) };
  }
}
