import { randomBytes } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { type Author, recordChange } from '../../database/audit/index.js';
import { Environment } from './environment.js';

/** What secrets of Standard Webhooks begin with; the key itself follows in base64. */
export const WEBHOOK_SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** A fresh secret for the signatures of Standard Webhooks. */
export const makeWebhookSecret = (): string =>
  `${WEBHOOK_SECRET_PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;

/**
 * The secret that signs the webhooks of flow files in an environment (E9); null where there is none
 * yet.
 */
export async function loadWebhookSecret(
  dataSource: DataSource,
  environmentId: string,
): Promise<string | null> {
  const found = await dataSource
    .getRepository(Environment)
    .findOne({ where: { id: environmentId }, select: { id: true, webhookSecret: true } });
  return found?.webhookSecret ?? null;
}

/** A new secret; for 24 hours the old one signs too, so that receivers can get to know it (E9). */
export function rotateWebhookSecret(
  dataSource: DataSource,
  environmentId: string,
  author: Author,
): Promise<string> {
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
