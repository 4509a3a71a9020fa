import { createHmac } from 'node:crypto';
import { WEBHOOK_SECRET_PREFIX } from '../../access/environment/webhook-secret.js';
import type { SIGNATURE_HEADERS } from '../../engine/definition/header-rules.js';

type SignatureHeaders = { [Name in (typeof SIGNATURE_HEADERS)[number]]?: string };

/**
 * A message as it is signed: its id, the second in which it is sent, and its body as it goes out.
 */
interface SignedMessage {
  readonly id: string;
  readonly timestamp: number;
  readonly body: string;
}

/**
 * The headers by which a receiver knows a message for ours, as Standard Webhooks has them; one
 * signature for each secret, as there are two while one of them is being replaced (E7).
 */
export function signatureHeaders(
  message: SignedMessage,
  secrets: readonly string[],
): SignatureHeaders {
  const { id, timestamp } = message;
  const signatures = secrets.map((secret) => `v1,${signWith(secret, message)}`);
  return {
    'webhook-id': id,
    'webhook-timestamp': `${timestamp}`,
    ...(signatures.length > 0 && { 'webhook-signature': signatures.join(' ') }),
  };
}

function signWith(secret: string, { id, timestamp, body }: SignedMessage): string {
  const key = Buffer.from(secret.slice(WEBHOOK_SECRET_PREFIX.length), 'base64');
  return createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
}
