import type { EntityManager } from 'typeorm';
import type { Effect } from '../engine/index.js';
import type { PublicEvent } from '../events/reader/public-event.js';

/**
 * A webhook, trigger or event that was given up and will not be retried automatically (S19, E8).
 */
export interface GivenUp {
  readonly kind: Effect['kind'] | 'event';
  /** The id that receivers know it by; `effects retry` takes that of a webhook or flow trigger. */
  readonly id: string;
  /**
   * The address of a webhook, the flow of a trigger (`start tips@latest`), or the name of an
   * endpoint.
   */
  readonly to: string;
  readonly user: string;
  readonly flow: string;
  readonly version: number;
  /** The last one, in words. */
  readonly error: string | null;
  readonly failedAt: Date;
}

const OF_FLOWS = `
  SELECT e.effect, e.id, u.identifier AS "user", e.flow, e.version, e.last_error AS error, e.failed_at AS "failedAt"
  FROM effects e JOIN users u ON u.user_id = e.user_id
  WHERE u.environment_id = $1 AND e.failed_at IS NOT NULL ORDER BY e.failed_at DESC, e.id LIMIT $2`;

const OF_ENDPOINTS = `
  SELECT f.event, n.name AS "to", f.error, f.failed_at AS "failedAt"
  FROM endpoint_failures f JOIN endpoints n ON n.id = f.endpoint_id
  WHERE n.environment_id = $1 ORDER BY f.failed_at DESC, f.event_id LIMIT $2`;

type GivenUpEffect = Omit<GivenUp, 'kind' | 'to'> & { readonly effect: Effect };
type GivenUpEvent = Pick<GivenUp, 'to' | 'error' | 'failedAt'> & { readonly event: PublicEvent };

/**
 * What was given up in an environment, webhooks and flow triggers and events for endpoints
 * together, newest first.
 */
export async function listGivenUp(
  manager: EntityManager,
  environmentId: string,
  { limit = 1000 }: { limit?: number } = {},
): Promise<GivenUp[]> {
  const ofFlows = (await manager.query(OF_FLOWS, [environmentId, limit])) as GivenUpEffect[];
  const ofEndpoints = (await manager.query(OF_ENDPOINTS, [environmentId, limit])) as GivenUpEvent[];
  const all = [
    ...ofFlows.map(({ effect, ...row }) => ({ kind: effect.kind, to: describe(effect), ...row })),
    ...ofEndpoints.map(({ event: { id, user, flow, version }, ...row }) => ({
      ...{ kind: 'event' as const, id, user, flow, version },
      ...row,
    })),
  ];
  return all.sort((one, other) => +other.failedAt - +one.failedAt).slice(0, limit);
}

const describe = (effect: Effect): string =>
  effect.kind === 'webhook' ? effect.url : `${effect.intent} ${effect.flow}@${effect.version}`;
