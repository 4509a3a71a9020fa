import { randomBytes } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { administer, withDatabase } from './administer.js';
import { citusWorkers, distributeDatabase, dropOnWorkers } from './citus-database.js';
import { connect, loadTemplate } from './template.js';
import { loadTestRun } from './test-run.js';

/** A migrated database of one's own. */
export interface TestDatabase {
  url: string;
  name: string;
  /** A connected data source; `drop` ends it. */
  connect(): Promise<DataSource>;
  /** Ends every connection and deletes the database. */
  drop(): Promise<void>;
}

/**
 * A new migrated database, cloned in some 50 ms from the run's template. `partitioned` asks for hash-partitioned user
 * tables; the default is what the run is about, with `CITUS_URL` a distributed database. `empty` has no schema at all, for tests of the migrations themselves.
 */
export async function createTestDatabase(options: { partitioned?: boolean; empty?: boolean } = {}): Promise<TestDatabase> {
  const run = await loadTestRun();
  const isDistributed = run.distributed && !options.empty && !options.partitioned;
  const isEmpty = options.empty || isDistributed;
  const template = isEmpty ? 'template0' : await loadTemplate(run, options.partitioned ?? run.partitioned);
  const name = `${run.prefix}_${randomBytes(6).toString('hex')}`;
  const url = withDatabase(run.url, name);
  await administer(run.url, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`));
  const workers = isDistributed ? citusWorkers() : [];
  if (isDistributed) await distributeDatabase(url, name, workers);
  const connected: DataSource[] = [];
  return {
    url,
    name,
    connect: async () => {
      const dataSource = await connect(url);
      connected.push(dataSource);
      return dataSource;
    },
    drop: async () => {
      for (const dataSource of connected) if (dataSource.isInitialized) await dataSource.destroy();
      await administer(run.url, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`));
      await dropOnWorkers(name, workers);
    },
  };
}
