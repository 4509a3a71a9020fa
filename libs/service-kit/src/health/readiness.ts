import { type Database, defineStatement } from '@waymark/domain/database';
import { DomainError } from '@waymark/domain/errors';
import { loadPendingMigrations } from '../database/pending-migrations.js';

const IS_READ_ONLY = defineStatement('is_read_only', "SELECT current_setting('transaction_read_only') = 'on' AS yes");
/** However often somebody asks, the database is looked at once in this time. */
const FRESH_MS = 1_000;

/** Whether this process should get requests: the database takes writes, its schema is current, and no shutdown has begun. */
export class Readiness {
  private leaving = false;
  private looked: Promise<void> | undefined;
  private lookedAt = -Infinity;

  constructor(private readonly database: Database) {}

  /** From now on the process is not ready, so that load balancers turn away before it stops. */
  leave(): void {
    this.leaving = true;
  }

  get isLeaving(): boolean {
    return this.leaving;
  }

  /** Throws `service.overloaded` or `database.unavailable` with the reason when not ready, as it was at most a second ago. */
  async check(): Promise<void> {
    if (this.leaving) throw new DomainError('service.overloaded', 'this process is shutting down');
    if (!this.looked || performance.now() - this.lookedAt >= FRESH_MS) {
      this.lookedAt = Infinity;
      this.looked = this.look().finally(() => (this.lookedAt = performance.now()));
    }
    await this.looked;
  }

  private async look(): Promise<void> {
    await this.checkWritable();
    const pending = await loadPendingMigrations(this.database);
    if (pending.length === 0) return;
    throw new DomainError('database.unavailable', `the database is behind by ${pending.length}; run "waymark migrate up"`);
  }

  private async checkWritable(): Promise<void> {
    const [readOnly] = await this.database.run<{ yes: boolean }>(IS_READ_ONLY, []);
    if (!readOnly?.yes) return;
    this.database.renewConnections();
    throw new DomainError('database.unavailable', 'the database takes no writes: is it a standby?');
  }
}
