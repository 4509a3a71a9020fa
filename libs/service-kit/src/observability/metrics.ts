import type { Pool } from 'pg';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { BUILD } from '../config/build.js';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** What this process counts. Modules add their own metrics to `registry`. */
export class Metrics {
  readonly registry = new Registry();

  private readonly durations = new Histogram({
    name: 'waymark_request_duration_seconds',
    help: 'Time from the head of a request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers: [this.registry],
  });
  /** Each series once: naming its labels again for every request costs more than counting it. */
  private readonly bound = new Map<string, { observe(seconds: number): void }>();
  private readonly shed = new Counter({
    name: 'waymark_shed_requests_total',
    help: 'Requests refused at once because too many were under way',
    registers: [this.registry],
  });

  private readonly userTokens = new Counter({
    name: 'waymark_user_tokens_total',
    help: 'Requests and handshakes with a public key where user tokens are looked at, by what was found',
    labelNames: ['key', 'outcome'],
    registers: [this.registry],
  });
  private readonly boundTokens = new Map<string, { inc(): void }>();

  private readonly limited = new Counter({
    name: 'waymark_limited_requests_total',
    help: 'Requests and connections of an address or key that sends too many',
    registers: [this.registry],
  });

  private reading: Promise<string> | undefined;

  constructor(service: string) {
    this.registry.setDefaultLabels({ service });
    collectDefaultMetrics({ register: this.registry });
    new Gauge({
      name: 'waymark_build_info',
      help: 'Always 1; the labels tell the release and the commit that it was built from',
      labelNames: ['version', 'commit'],
      registers: [this.registry],
    }).set({ ...BUILD }, 1);
  }

  /**
   * All of it as Prometheus reads it. Who asks at the same time shares one reading, which takes
   * some milliseconds (R13).
   */
  read(): Promise<string> {
    this.reading ??= this.registry.metrics().finally(() => (this.reading = undefined));
    return this.reading;
  }

  /** One answered request, by the pattern of its route so that the number of series is bounded. */
  countRequest(method: string, route: string, status: number, milliseconds: number): void {
    const series = `${method} ${status} ${route}`;
    let duration = this.bound.get(series);
    if (!duration)
      this.bound.set(series, (duration = this.durations.labels({ method, route, status })));
    duration.observe(milliseconds / 1000);
  }

  /**
   * What was found behind a public key (V5); by the id of the key, which `waymark key list` shows.
   */
  countUserToken(key: string, outcome: string): void {
    const series = `${key} ${outcome}`;
    let counter = this.boundTokens.get(series);
    if (!counter)
      this.boundTokens.set(series, (counter = this.userTokens.labels({ key, outcome })));
    counter.inc();
  }

  countShed(): void {
    this.shed.inc();
  }

  countLimited(): void {
    this.limited.inc();
  }

  /** A gauge whose number is read whenever the metrics are. */
  addGauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      collect() {
        this.set(read());
      },
    });
  }

  addPoolGauges(pool: () => Pool): void {
    this.addGauge(
      'waymark_database_connections',
      'Connections to PostgreSQL',
      () => pool().totalCount,
    );
    this.addGauge(
      'waymark_database_connections_idle',
      'Connections to PostgreSQL that nobody uses',
      () => pool().idleCount,
    );
    this.addGauge(
      'waymark_database_waiting',
      'Statements that wait for a connection',
      () => pool().waitingCount,
    );
  }
}
