import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../database/database.js';
import { BlockNames } from '../following/block-names.js';
import { CLAIM_ENDPOINTS, LOAD_BACKLOGS } from './delivery-statements.js';
import { EndpointDelivery, type DeliverySettings } from './endpoint-delivery.js';
import { Lease } from './lease.js';

export interface DeliveryWorkerSettings extends DeliverySettings {
  /** How often it is asked for endpoints that nobody delivers for. */
  readonly pollMs: number;
}

/** How far an endpoint is behind, in seconds (E10). */
export interface Backlog {
  readonly environment: string;
  readonly endpoint: string;
  readonly seconds: number;
}

/**
 * Delivers the event log to endpoints, beside the workers of all other replicas: each endpoint is in the hands of one of
 * them, and another one takes it over when that one dies (E8).
 */
export class DeliveryWorker {
  /** Of all endpoints, as it was at the last poll. */
  backlogs: readonly Backlog[] = [];
  private readonly names: BlockNames;
  private readonly running = new Set<Promise<void>>();
  /** Of deliveries that the database failed: what they hold need not be waited for. */
  private readonly failed = new Set<string>();
  private readonly closing = new AbortController();
  private readonly lettingGo = new AbortController();
  private working: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    private readonly settings: DeliveryWorkerSettings,
  ) {
    // Every request that is under way listens to it.
    setMaxListeners(0, this.lettingGo.signal);
    this.names = new BlockNames(database);
  }

  start(): void {
    this.working ??= this.work();
  }

  /** Begins no more requests, waits at most `graceMs` for what runs, then gives it up: another worker takes over. */
  async stop(graceMs = 4_000): Promise<void> {
    this.closing.abort();
    const timer = setTimeout(() => this.lettingGo.abort(), graceMs).unref();
    await this.working;
    await Promise.all(this.running);
    clearTimeout(timer);
  }

  private async work(): Promise<void> {
    while (!this.closing.signal.aborted) {
      await this.poll().catch((error: unknown) => this.settings.onTrouble?.(error));
      await pause(this.settings.pollMs, undefined, { signal: this.closing.signal }).catch(() => undefined);
    }
  }

  private async poll(): Promise<void> {
    // There is no order to follow (G4).
    if (await this.database.isDistributed()) return;
    const sentAt = performance.now();
    const failed = [...this.failed];
    const claimed = await this.database.run<{ id: string; token: string }>(CLAIM_ENDPOINTS, [failed]);
    for (const token of failed) this.failed.delete(token);
    for (const { id, token } of claimed) this.begin(new Lease(this.database, id, token, sentAt));
    this.backlogs = await this.database.run<Backlog>(LOAD_BACKLOGS, []);
  }

  private begin(lease: Lease): void {
    const stop = { closing: this.closing.signal, lettingGo: this.lettingGo.signal };
    const work: Promise<void> = new EndpointDelivery(this.database, this.names, lease, this.settings, stop)
      .run()
      .then((end) => void (end === 'failed' && this.failed.add(lease.token)))
      .finally(() => this.running.delete(work));
    this.running.add(work);
  }
}
