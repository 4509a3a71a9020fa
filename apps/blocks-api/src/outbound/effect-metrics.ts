import type {
  ClaimedEffect,
  EffectFailure,
  EffectOutcome,
  WaitingEffects,
} from '@waymark/domain/outbound';
import type { Metrics } from '@waymark/service-kit/observability';
import type { Logger } from 'pino';
import { Counter, Gauge } from 'prom-client';

/** Counts every attempt and logs those that failed: by their codes, since what is said to operators may name the user. */
export function recordOutcomes({ registry }: Metrics, logger: Logger) {
  const counter = new Counter({
    name: 'waymark_effects_total',
    help: 'Attempts to carry out webhooks and flow triggers, by what came of them',
    labelNames: ['environment', 'kind', 'outcome'],
    registers: [registry],
  });
  return (
    { id, environment, flow, version, effect, attempts }: ClaimedEffect,
    outcome: EffectOutcome,
    failure: EffectFailure | null,
  ): void => {
    counter.inc({ environment, kind: effect.kind, outcome });
    const line = {
      id,
      environment,
      kind: effect.kind,
      flow,
      version,
      attempts,
      code: failure?.code,
    };
    if (outcome === 'failed') logger.error(line, 'effect failed');
    else if (outcome === 'postponed') logger.warn(line, 'effect failed, will retry');
  };
}

/** Counts and logs when the database fails the worker itself, which then waits. */
export function recordTroubles({ registry }: Metrics, logger: Logger) {
  const counter = new Counter({
    name: 'waymark_effect_troubles_total',
    help: 'Times that webhooks and flow triggers could not be claimed or reported',
    registers: [registry],
  });
  return (error: unknown): void => {
    counter.inc();
    logger.warn({ err: error }, 'effects wait for the database');
  };
}

/** What waits is looked up when the metrics are read, and not more often than this. */
const FRESH_MS = 5_000;

/** How much waits in each environment and for how long, the same in every replica; nothing while the database cannot be asked. */
export function recordWaiting({ registry }: Metrics, load: () => Promise<WaitingEffects[]>): void {
  const find = cachedFor(FRESH_MS, load);
  const addGauge = (name: string, help: string, read: (found: WaitingEffects) => number): void => {
    const set = async (gauge: Gauge<'environment' | 'kind'>): Promise<void> => {
      const found = await find();
      gauge.reset();
      for (const one of found)
        gauge.set({ environment: one.environment, kind: one.kind }, read(one));
    };
    new Gauge({
      name,
      help,
      labelNames: ['environment', 'kind'],
      registers: [registry],
      async collect() {
        await set(this).catch(() => this.reset());
      },
    });
  };
  addGauge('waymark_effects_waiting', 'Webhooks and flow triggers that wait', (one) => one.waiting);
  addGauge(
    'waymark_effects_oldest_seconds',
    'Age of the oldest webhook or flow trigger that waits',
    (one) => one.oldestSeconds,
  );
}

function cachedFor<Found>(ms: number, load: () => Promise<Found>): () => Promise<Found> {
  let cached: Promise<Found> | undefined;
  let at = -Infinity;
  return () => {
    if (cached && performance.now() - at < ms) return cached;
    at = performance.now();
    cached = load();
    cached.catch(() => (cached = undefined));
    return cached;
  };
}
