import type { DataSource } from 'typeorm';
import { type Author, recordChange } from '../../audit/index.js';
import { makeWebhookSecret } from '../../sending/index.js';
import { Environment } from './environment.js';

/** The secret that signs the webhooks of flow files in an environment (E9); null where there is none yet. */
export async function loadWebhookSecret(dataSource: DataSource, environmentId: string): Promise<string | null> {
  const found = await dataSource
    .getRepository(Environment)
    .findOne({ where: { id: environmentId }, select: { id: true, webhookSecret: true } });
  return found?.webhookSecret ?? null;
}

/** A new secret; for 24 hours the old one signs too, so that receivers can get to know it (E9). */
export function rotateWebhookSecret(dataSource: DataSource, environmentId: string, author: Author): Promise<string> {
  const act = { action: 'environment.rotate-webhook-secret', environmentId };
  return recordChange(dataSource, act, author, async (manager) => {
    const secret = makeWebhookSecret();
    await manager.update(Environment, environmentId, {
      previousWebhookSecret: () => 'webhook_secret',
      webhookSecret: secret,
      previousWebhookSecretUntil: () => "now() + interval '24 hours'",
    });
    return secret;
  });
}
