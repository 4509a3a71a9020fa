import { type Database, defineStatement } from '@waymark/domain/database';
import { DomainError } from '@waymark/domain/database/errors';
import { MIGRATIONS } from '@waymark/domain/schema';

const IS_READ_ONLY = defineStatement(
  'is_read_only',
  "SELECT current_setting('transaction_read_only') = 'on' AS yes",
);
/** However often it is requested, the database is checked once in this time. */
const FRESH_MS = 1_000;

const LOAD_APPLIED = defineStatement('load_applied_migrations', 'SELECT name FROM migrations');
const NO_TABLE = '42P01';

/**
 * Whether this process should get requests: the database takes writes, its schema is current, and
 * no shutdown has begun.
 */
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

  /**
   * Throws `service.overloaded` or `database.unavailable` with the reason when not ready, as it was
   * at most a second ago.
   */
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
    if (this.database.isDiskFull)
      throw new DomainError(
        'database.unavailable',
        'the disk of the database is full, so that it takes no writes',
      );
    const pending = await loadPendingMigrations(this.database);
    if (pending.length === 0) return;
    throw new DomainError(
      'database.unavailable',
      `the database is behind by ${pending.length}; run "waymark migrate up"`,
    );
  }

  private async checkWritable(): Promise<void> {
    const [readOnly] = await this.database.run<{ yes: boolean }>(IS_READ_ONLY, []);
    if (!readOnly?.yes) return;
    this.database.renewConnections();
    throw new DomainError('database.unavailable', 'the database takes no writes: is it a standby?');
  }
}

/**
 * Names of the migrations that this release has and the database has not; a newer schema does not
 * matter here.
 */
export async function loadPendingMigrations(database: Database): Promise<string[]> {
  const applied = new Set(await loadApplied(database));
  return MIGRATIONS.map((migration) => migration.name).filter((name) => !applied.has(name));
}

async function loadApplied(database: Database): Promise<string[]> {
  try {
    return (await database.run<{ name: string }>(LOAD_APPLIED, [])).map((row) => row.name);
  } catch (error) {
    if ((error as { code?: unknown }).code === NO_TABLE) return [];
    throw error;
  }
}
