import { Injectable } from '@nestjs/common';
import { LiveBus } from '@waymark/domain/states';
import { Metrics } from '@waymark/service-kit/observability';
import { Counter } from 'prom-client';
import { LiveConnections } from './live-connections.js';
import { WatchedStates } from '../watch/watched-states.js';

/** Metrics of sockets and live updates. */
@Injectable()
export class LiveMetrics {
  private readonly dropped: Counter;

  constructor(metrics: Metrics, connections: LiveConnections, states: WatchedStates, bus: LiveBus) {
    metrics.addGauge('waymark_live_sockets', 'Open sockets', () => connections.size);
    metrics.addGauge('waymark_live_states', 'States that somebody watches', () => states.size);
    metrics.addGauge('waymark_live_bus_connected', '1 while the bus is connected', () =>
      Number(bus.isConnected),
    );
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
