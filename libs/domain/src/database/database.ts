import type { Pool, PoolClient, QueryResultRow } from 'pg';
import type { DataSource } from 'typeorm';
import { DomainError } from '../errors/index.js';
import { databaseFailure, isConnectionSound, isReadOnly } from './database-failure.js';
import { isUnsupported, lookWhetherDistributed } from './is-distributed.js';
import type { Statement } from './statement.js';

/**
 * Runs hot statements on the pool that TypeORM owns: prepared, one round trip each, without the ORM in between.
 * Throws `database.unavailable` when the server is out of reach; other errors of PostgreSQL pass as they are.
 */
export class Database {
  /** Connections made earlier are not used any more. */
  private renewedAt = 0;
  /** Whether the tables are spread over servers; looked at when it is first asked for. */
  private distributed: Promise<boolean> | undefined;

  constructor(
    private readonly dataSource: DataSource,
    /** Off behind a pooler in transaction mode that cannot keep prepared statements. */
    private readonly prepared = true,
  ) {}

  /** The pg pool behind TypeORM's driver. */
  get pool(): Pool {
    return poolOf(this.dataSource);
  }

  async run<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    const client = await this.acquire();
    try {
      const { name, text } = statement;
      const { rows } = await client.query<Row & QueryResultRow>({
        ...(this.prepared && { name }),
        text,
        values: values as unknown[],
      });
      client.release();
      return rows;
    } catch (error) {
      client.release(!isConnectionSound(error));
      if (isReadOnly(error)) this.renewConnections();
      throw isUnsupported(error) && (await this.hasChangedShape()) ? shapeChanged(error) : databaseFailure(error);
    }
  }

  /**
   * Whether Citus spreads the tables over servers, where a few statements have to be said otherwise (G1). Looked at once;
   * tables that are distributed meanwhile are noticed by the first statement that is refused for it.
   */
  isDistributed(): Promise<boolean> {
    const looking = this.distributed ?? lookWhetherDistributed((statement) => this.run<{ yes: boolean }>(statement, []));
    this.distributed = looking;
    looking.catch(() => {
      if (this.distributed === looking) this.distributed = undefined;
    });
    return looking;
  }

  private async hasChangedShape(): Promise<boolean> {
    const before = await this.distributed?.catch(() => undefined);
    if (before === undefined) return false;
    this.distributed = undefined;
    return (await this.isDistributed()) !== before;
  }

  /**
   * To be called when a server takes no writes: after a failover the address of the database leads to another server, while
   * connections to the old one would work on, for reads at least. Not more than once a second, should it stay so.
   */
  renewConnections(): void {
    const now = performance.now();
    if (now - this.renewedAt > RENEWAL_PAUSE_MS) this.renewedAt = now;
  }

  private async acquire(): Promise<PoolClient> {
    try {
      for (;;) {
        const client = (await this.pool.connect()) as PoolClient & { since: number };
        if (client.since >= this.renewedAt) return client;
        client.release(true);
      }
    } catch (error) {
      throw databaseFailure(error);
    }
  }
}

const RENEWAL_PAUSE_MS = 1_000;

const shapeChanged = (cause: unknown): DomainError =>
  new DomainError('database.unavailable', 'the tables were distributed just now, please try again', { cause });

/** The pool that TypeORM's driver keeps to itself. */
export const poolOf = ({ driver }: DataSource): Pool => (driver as unknown as { master: Pool }).master;
