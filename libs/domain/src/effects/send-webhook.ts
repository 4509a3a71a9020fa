import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { ClaimedEffect } from './claimed-effect.js';
import { EffectFailure, HopelessEffect } from './effect-failure.js';
import { isPublicAddress, literalAddress, lookupPublic, privateAddress } from './public-address.js';
import { type Webhook, webhookRequest, type WebhookRequest } from './webhook-request.js';

export interface WebhookSettings {
  /** Whether private and loopback addresses may be sent to. */
  readonly allowPrivateAddresses: boolean;
  /** Whether version 0 sends (S19). */
  readonly sendUncommitted: boolean;
  readonly timeoutMs: number;
}

/** Resolves on 2xx, throws otherwise, on redirects too; the message is for the operator (S19). */
export async function sendWebhook(claimed: ClaimedEffect<Webhook>, settings: WebhookSettings, stop: AbortSignal): Promise<void> {
  const request = webhookRequest(claimed);
  const literal = literalAddress(request.url);
  if (!settings.allowPrivateAddresses && literal !== undefined && !isPublicAddress(literal))
    throw new HopelessEffect('webhook.private-address', privateAddress(literal));
  const timeout = AbortSignal.timeout(settings.timeoutMs);
  const status = await post(request, settings, AbortSignal.any([timeout, stop])).catch((error: unknown) => {
    if (!timeout.aborted) throw error;
    throw new EffectFailure('webhook.no-answer', `no answer within ${settings.timeoutMs / 1000} s`);
  });
  if (status >= 200 && status <= 299) return;
  const hint = status < 400 ? ', redirects are not followed' : '';
  throw new EffectFailure(`webhook.answered-${status}`, `answered ${status}${hint}`);
}

/** The status of the answer; its body is not read. A connection of its own, to an address that was checked. */
function post({ url, headers, body }: WebhookRequest, settings: WebhookSettings, signal: AbortSignal): Promise<number> {
  const open = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const lookup = settings.allowPrivateAddresses ? undefined : lookupPublic;
    const request = open(url, { method: 'POST', headers, agent: false, signal, lookup }, (response) => {
      response.on('error', () => undefined);
      response.destroy();
      resolve(response.statusCode ?? 0);
    });
    request.on('error', reject);
    request.end(body);
  });
}
