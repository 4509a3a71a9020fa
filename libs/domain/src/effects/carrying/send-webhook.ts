import { isPublicAddress, literalAddress, post, type PostSettings, privateAddress } from '../../sending/index.js';
import type { ClaimedEffect } from '../queue/claimed-effect.js';
import { EffectFailure, HopelessEffect } from './effect-failure.js';
import { type Webhook, webhookRequest } from './webhook-request.js';

export interface WebhookSettings extends PostSettings {
  /** Whether version 0 sends (S19). */
  readonly sendUncommitted: boolean;
}

/** Resolves on 2xx, throws otherwise, on redirects too; the message is for the operator (S19). */
export async function sendWebhook(claimed: ClaimedEffect<Webhook>, settings: WebhookSettings, stop: AbortSignal): Promise<void> {
  const request = webhookRequest(claimed);
  const literal = literalAddress(request.url);
  if (!settings.allowPrivateAddresses && literal !== undefined && !isPublicAddress(literal))
    throw new HopelessEffect('webhook.private-address', privateAddress(literal));
  const { status } = await post(request, settings, stop);
  if (status >= 200 && status <= 299) return;
  const hint = status < 400 ? ', redirects are not followed' : '';
  throw new EffectFailure(`webhook.answered-${status}`, `answered ${status}${hint}`);
}
