import type { Pool, PoolClient, QueryResultRow } from 'pg';
import type { DataSource } from 'typeorm';
import { databaseFailure, isConnectionSound } from './database-failure.js';
import type { Statement } from './statement.js';

/**
 * Runs hot statements on the pool that TypeORM owns: prepared, one round trip each, without the ORM in between.
 * Throws `database.unavailable` when the server is out of reach; other errors of PostgreSQL pass as they are.
 */
export class Database {
  constructor(
    private readonly dataSource: DataSource,
    /** Off behind a pooler in transaction mode that cannot keep prepared statements. */
    private readonly prepared = true,
  ) {}

  /** The pg pool behind TypeORM's driver. */
  get pool(): Pool {
    return (this.dataSource.driver as unknown as { master: Pool }).master;
  }

  async run<Row extends QueryResultRow>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    const client = await this.acquire();
    try {
      const { name, text } = statement;
      const { rows } = await client.query<Row>({ ...(this.prepared && { name }), text, values: values as unknown[] });
      client.release();
      return rows;
    } catch (error) {
      client.release(!isConnectionSound(error));
      throw databaseFailure(error);
    }
  }

  private async acquire(): Promise<PoolClient> {
    try {
      return await this.pool.connect();
    } catch (error) {
      throw databaseFailure(error);
    }
  }
}
