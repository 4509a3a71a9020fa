import type { Database } from '../../database/database.js';
import { OutboundWorker, type OutboundWorkerSettings } from '../sending/outbound-worker.js';
import { BlockNames } from '../../events/reader/block-names.js';
import { CLAIM_ENDPOINTS, LOAD_BACKLOGS } from './delivery-statements.js';
import { EndpointDelivery, type DeliverySettings } from './endpoint-delivery.js';
import { Lease } from './lease.js';

export interface DeliveryWorkerSettings extends OutboundWorkerSettings, DeliverySettings {}

/** How far an endpoint is behind, in seconds (E10). */
interface Backlog {
  readonly environment: string;
  readonly endpoint: string;
  readonly seconds: number;
}

/**
 * Delivers the event log to endpoints, beside the workers of all other replicas: each endpoint is
 * in the hands of one of them, and another one takes it over when that one dies (E8).
 */
export class DeliveryWorker extends OutboundWorker {
  /** Of all endpoints, as it was at the last poll. */
  backlogs: readonly Backlog[] = [];
  private readonly names: BlockNames;
  /** Of deliveries that the database failed: what they hold need not be waited for. */
  private readonly failed = new Set<string>();

  constructor(
    private readonly database: Database,
    private readonly settings: DeliveryWorkerSettings,
  ) {
    super(settings);
    this.names = new BlockNames(database);
  }

  protected override async claim(): Promise<void> {
    // There is no order to follow (G4).
    if (await this.database.isDistributed()) return;
    const sentAt = performance.now();
    const failed = [...this.failed];
    const claimed = await this.database.run<{ id: string; token: string }>(CLAIM_ENDPOINTS, [
      failed,
    ]);
    for (const token of failed) this.failed.delete(token);
    for (const { id, token } of claimed)
      this.begin(id, this.deliver(new Lease(this.database, id, token, sentAt)));
    this.backlogs = await this.database.run<Backlog>(LOAD_BACKLOGS, []);
  }

  private async deliver(lease: Lease): Promise<void> {
    const delivery = new EndpointDelivery(
      this.database,
      this.names,
      lease,
      this.sender,
      this.settings,
      { closing: this.closing.signal, lettingGo: this.lettingGo.signal },
    );
    if ((await delivery.run()) === 'failed') this.failed.add(lease.token);
  }
}
