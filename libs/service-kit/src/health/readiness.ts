import type { Database } from '@waymark/domain/database';
import { DomainError } from '@waymark/domain/errors';
import { loadPendingMigrations } from '../database/pending-migrations.js';

/** Whether this process should get requests: the database answers, its schema is current, and no shutdown has begun. */
export class Readiness {
  private leaving = false;

  constructor(private readonly database: Database) {}

  /** From now on the process is not ready, so that load balancers turn away before it stops. */
  leave(): void {
    this.leaving = true;
  }

  get isLeaving(): boolean {
    return this.leaving;
  }

  /** Throws `service.overloaded` or `database.unavailable` with the reason when not ready. */
  async check(): Promise<void> {
    if (this.leaving) throw new DomainError('service.overloaded', 'this process is shutting down');
    const pending = await loadPendingMigrations(this.database);
    if (pending.length === 0) return;
    throw new DomainError('database.unavailable', `the database is behind by ${pending.length}; run "waymark migrate up"`);
  }
}
