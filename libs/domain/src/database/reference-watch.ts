import type { Database } from './database.js';
import type { Reference } from './reference-revision.js';
import { defineStatement } from './statement.js';

// With the transaction that wrote it: after the database was restored another change may have made the same number.
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

/**
 * Tells caches of reference data that it changed, within `intervalMs` of the commit, by polling one tiny table: no
 * notification can be missed. While the database is out of reach nothing is told and the caches stay as they are.
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

  /** One look at the table; what moved since the last look is told. */
  async poll(): Promise<void> {
    const statement = (await this.database.isDistributed()) ? LOAD_COPIED_REVISIONS : LOAD_REVISIONS;
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
