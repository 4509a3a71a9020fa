import { Column, Entity, type EntityManager, PrimaryColumn } from 'typeorm';
import type { Database } from './database.js';
import { defineStatement } from './statement.js';

// With the transaction that wrote it: after the database was restored another change may have made
// the same number.
const LOAD_REVISIONS = defineStatement(
  'load_reference_revisions',
  "SELECT name, revision || ' ' || xmin AS revision FROM reference_revisions",
  'one',
);
// Each server has a copy of the table, which another transaction of its own wrote.
const LOAD_COPIED_REVISIONS = defineStatement(
  'load_copied_reference_revisions',
  'SELECT name, revision::text AS revision FROM reference_revisions',
);

/** Reference data that services cache: what is polled to know that a cache is stale. */
type Reference = 'flows' | 'api-keys';

/**
 * Raised in the transaction that changes the reference data; services look at it twice a second.
 */
@Entity('reference_revisions')
export class ReferenceRevision {
  @PrimaryColumn('varchar', { length: 32 })
  name: Reference;

  @Column('bigint', { default: 0 })
  revision: string;
}

/**
 * Notifies caches of reference data that it changed, within `intervalMs` of the commit, by polling
 * one tiny table: no notification can be missed. While the database is out of reach nobody is
 * notified and the caches stay as they are.
 */
export class ReferenceWatch {
  private readonly seen = new Map<Reference, string>();
  private readonly listeners = new Map<Reference, (() => void)[]>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    private readonly intervalMs = 400,
  ) {}

  /** Calls back after each change of that reference data, never before the first poll has run. */
  onChange(reference: Reference, listener: () => void): void {
    this.listeners.set(reference, [...(this.listeners.get(reference) ?? []), listener]);
  }

  start(): void {
    this.timer ??= this.schedule();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** One look at the table; notifies of what moved since the last look. */
  async poll(): Promise<void> {
    const statement = (await this.database.isDistributed())
      ? LOAD_COPIED_REVISIONS
      : LOAD_REVISIONS;
    const rows = await this.database.run<{ name: Reference; revision: string }>(statement, []);
    for (const { name, revision } of rows) {
      const before = this.seen.get(name);
      this.seen.set(name, revision);
      if (before !== revision) for (const listener of this.listeners.get(name) ?? []) listener();
    }
  }

  private schedule(): NodeJS.Timeout {
    const timer = setTimeout(() => {
      void this.poll()
        .catch(() => undefined)
        .finally(() => {
          if (this.timer) this.timer = this.schedule();
        });
    }, this.intervalMs);
    return timer.unref();
  }
}

/**
 * Takes part in the caller's transaction: services see the change within a second of its commit.
 */
export async function raiseRevision(manager: EntityManager, name: Reference): Promise<void> {
  await manager.increment(ReferenceRevision, { name }, 'revision', 1);
}
