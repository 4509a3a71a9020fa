import { type ClaimedEffect, type EffectOutcome, failureCode, type WaitingEffects } from '@waymark/domain/effects';
import type { Metrics } from '@waymark/service-kit/metrics';
import type { Logger } from 'pino';
import { Counter, Gauge } from 'prom-client';

/** Counts every attempt and logs those that failed: by their codes, since what is said to operators may name the user. */
export function recordOutcomes({ registry }: Metrics, logger: Logger) {
  const counter = new Counter({
    name: 'waymark_effects_total',
    help: 'Attempts to carry out webhooks and flow triggers, by what came of them',
    labelNames: ['kind', 'outcome'],
    registers: [registry],
  });
  return ({ id, flow, version, effect, attempts }: ClaimedEffect, outcome: EffectOutcome, error?: Error): void => {
    counter.inc({ kind: effect.kind, outcome });
    const told = { id, kind: effect.kind, flow, version, attempts, code: error && failureCode(error) };
    if (outcome === 'failed') logger.error(told, 'an effect failed');
    else if (outcome === 'postponed') logger.warn(told, 'an effect is tried again later');
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

const KINDS = ['webhook', 'flow-trigger'] as const;
/** What waits is looked up when the metrics are read, and not more often than this. */
const FRESH_MS = 5_000;

/** How much waits and for how long; every replica tells the same. Nothing is told while the database cannot be asked. */
export function recordWaiting({ registry }: Metrics, load: () => Promise<WaitingEffects[]>): void {
  const find = keptFor(FRESH_MS, load);
  const addGauge = (name: string, help: string, read: (found: WaitingEffects) => number): void => {
    const tell = async (gauge: Gauge<'kind'>): Promise<void> => {
      const found = new Map((await find()).map((one) => [one.kind, read(one)]));
      for (const kind of KINDS) gauge.set({ kind }, found.get(kind) ?? 0);
    };
    new Gauge({
      name,
      help,
      labelNames: ['kind'],
      registers: [registry],
      async collect() {
        await tell(this).catch(() => this.reset());
      },
    });
  };
  addGauge('waymark_effects_waiting', 'Webhooks and flow triggers that wait', (one) => one.waiting);
  addGauge('waymark_effects_oldest_seconds', 'Age of the oldest webhook or flow trigger that waits', (one) => one.oldestSeconds);
}

function keptFor<Found>(ms: number, load: () => Promise<Found>): () => Promise<Found> {
  let kept: Promise<Found> | undefined;
  let at = -Infinity;
  return () => {
    if (kept && performance.now() - at < ms) return kept;
    at = performance.now();
    kept = load();
    kept.catch(() => (kept = undefined));
    return kept;
  };
}
