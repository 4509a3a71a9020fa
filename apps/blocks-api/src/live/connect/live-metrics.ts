import { Inject, Injectable } from '@nestjs/common';
import type { LiveBus } from '@waymark/domain/live-bus';
import { Metrics } from '@waymark/service-kit/metrics';
import { Counter } from 'prom-client';
import { LIVE_BUS } from '../../live-bus/live-bus-token.js';
import { LiveConnections } from './live-connections.js';
import { WatchedStates } from '../watch/watched-states.js';

/** What operators see of live updates. */
@Injectable()
export class LiveMetrics {
  private readonly dropped: Counter;

  constructor(metrics: Metrics, connections: LiveConnections, states: WatchedStates, @Inject(LIVE_BUS) bus: LiveBus) {
    metrics.addGauge('waymark_live_sockets', 'Open sockets', () => connections.size);
    metrics.addGauge('waymark_live_states', 'States that somebody watches', () => states.size);
    metrics.addGauge('waymark_live_bus_connected', '1 while the bus is connected', () => Number(bus.isConnected));
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
