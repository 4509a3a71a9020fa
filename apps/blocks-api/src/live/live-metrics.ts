import type { Metrics } from '@waymark/service-kit/metrics';
import { Counter } from 'prom-client';

/** What operators see of live updates. */
export class LiveMetrics {
  private readonly dropped: Counter;

  constructor(metrics: Metrics, read: { sockets: () => number; states: () => number; isBusConnected: () => boolean }) {
    metrics.watch('waymark_live_sockets', 'Open sockets', read.sockets);
    metrics.watch('waymark_live_states', 'States that somebody watches', read.states);
    metrics.watch('waymark_live_bus_connected', '1 while the bus is connected', () => Number(read.isBusConnected()));
    this.dropped = new Counter({
      name: 'waymark_live_dropped_sockets_total',
      help: 'Sockets closed because their client did not read',
      registers: [metrics.registry],
    });
  }

  countDropped(): void {
    this.dropped.inc();
  }
}
