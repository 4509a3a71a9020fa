import type { Metrics } from '@waymark/service-kit/observability';
import type { Logger } from 'pino';
import { Counter, Gauge } from 'prom-client';

interface NamedMetric {
  readonly name: string;
  readonly help: string;
}

/** Counts and logs when the database fails a worker itself, which then waits. */
export function recordTroubles(
  { registry }: Metrics,
  logger: Logger,
  { message, ...metric }: NamedMetric & { readonly message: string },
) {
  const counter = new Counter({ ...metric, registers: [registry] });
  return (error: unknown): void => {
    counter.inc();
    logger.warn({ err: error }, message);
  };
}

/** What waits is looked up when the metrics are read, and not more often than this. */
const FRESH_MS = 5_000;

/**
 * Gauges of what waits, the same in every replica; without values while the database does not
 * answer.
 */
export function recordWaiting<Label extends string, Found extends Record<Label, string>>(
  { registry }: Metrics,
  labelNames: readonly Label[],
  load: () => Promise<readonly Found[]>,
  gauges: readonly (NamedMetric & { read(found: Found): number })[],
): void {
  const find = cachedFor(FRESH_MS, load);
  const set = async (gauge: Gauge<Label>, read: (found: Found) => number): Promise<void> => {
    const found = await find();
    gauge.reset();
    for (const one of found) gauge.labels(...labelNames.map((label) => one[label])).set(read(one));
  };
  for (const { read, ...metric } of gauges)
    new Gauge({
      ...metric,
      labelNames: [...labelNames],
      registers: [registry],
      async collect() {
        await set(this, read).catch(() => this.reset());
      },
    });
}

/** What was found, looked up again once it is so old. */
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
