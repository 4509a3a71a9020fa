import type { Database } from '../../database/database.js';
import { LEASE_MS, RELEASE_LEASE, RENEW_LEASE } from './delivery-statements.js';
import type { Endpoint } from '../endpoints/endpoint.js';
import type { UnfinishedWindow } from '../endpoints/endpoint-progress.js';
import type { LogPosition } from '../../events/reader/log-position.js';

/** What has to be left of a lease when a request is begun: longer than it may take (E8). */
const ENOUGH_MS = 12_000;
/** Renewed once so much of it is over. */
const RENEW_AFTER_MS = 10_000;

/**
 * The right of this process to deliver for an endpoint, by the clock of the process: it counts from
 * before the request for it.
 */
export class Lease {
  private renewing: Promise<void> | undefined;
  private isLost = false;

  constructor(
    private readonly database: Database,
    readonly endpointId: string,
    readonly token: string,
    private since: number,
  ) {}

  /**
   * Whether a request may be begun now; renews the lease when it is time, and notices when another
   * replica has it.
   */
  async isHeld(): Promise<boolean> {
    if (this.isLost) return false;
    if (this.age() > RENEW_AFTER_MS) {
      this.renewing ??= this.renew().finally(() => (this.renewing = undefined));
      await this.renewing;
    }
    return !this.isLost && this.age() <= LEASE_MS - ENOUGH_MS;
  }

  /** A statement that was sent at that time has prolonged it. */
  prolonged(sentAt: number): void {
    this.since = sentAt;
  }

  lose(): void {
    this.isLost = true;
  }

  async release(pauseSeconds: number): Promise<void> {
    if (!this.isLost)
      await this.database.run(RELEASE_LEASE, [this.endpointId, this.token, pauseSeconds]);
    this.isLost = true;
  }

  private async renew(): Promise<void> {
    const sentAt = performance.now();
    const rows = await this.database.run(RENEW_LEASE, [this.endpointId, this.token]);
    if (rows.length === 0) this.isLost = true;
    else this.since = sentAt;
  }

  private age(): number {
    return performance.now() - this.since;
  }
}

/** An endpoint as the process that delivers for it sees it, read again before each window. */
export interface LeasedEndpoint
  extends
    Pick<
      Endpoint,
      | 'id'
      | 'environmentId'
      | 'name'
      | 'url'
      | 'format'
      | 'flows'
      | 'types'
      | 'headers'
      | 'drafts'
      | 'since'
    >,
    LogPosition {
  /** Name of the environment. */
  readonly environment: string;
  readonly isPaused: boolean;
  /** The secrets that sign now: one, or two while one is being replaced. */
  readonly secrets: readonly string[];
  readonly openWindow: UnfinishedWindow | null;
  readonly downs: number;
  readonly setAsideInARow: number;
  /** Time of the database, in milliseconds of 1970. */
  readonly nowMs: number;
}
