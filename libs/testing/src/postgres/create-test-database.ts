import { randomBytes } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { test, afterAll, beforeAll } from '@jest/globals';
import { administer, withDatabase, connect } from './administer.js';
import { citusWorkers, distributeDatabase, dropOnWorkers } from './citus-database.js';
import { loadTemplate, type TemplateShape } from './template.js';
import { loadTestRun, type TestRun } from './test-run.js';

/** A migrated database of one's own. */
export interface TestDatabase {
  url: string;
  name: string;
  /** A connected data source; `drop` ends it. */
  connect(): Promise<DataSource>;
  /** Ends every connection and deletes the database. */
  drop(): Promise<void>;
}

interface TestDatabaseOptions {
  /** Hash-partitioned user tables; the default is what the run is about. */
  partitioned?: boolean;
  /** No schema at all, for tests of the migrations themselves. */
  empty?: boolean;
  /** Tables that pass for distributed ones, on plain PostgreSQL. */
  rehearsed?: boolean;
}

/**
 * A new migrated database, cloned in some 50 ms from the run's template, of the shape that is
 * requested or else that the run is about: on a Citus cluster it is distributed.
 */
export async function createTestDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const run = await loadTestRun();
  const shape = shapeOf(run, options);
  const template =
    shape === 'empty' || shape === 'distributed' ? 'template0' : await loadTemplate(run, shape);
  const name = `${run.prefix}_${randomBytes(6).toString('hex')}`;
  const url = withDatabase(run.url, name);
  await administer(run.url, (client) =>
    client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`),
  );
  const workers = shape === 'distributed' ? citusWorkers() : [];
  if (shape === 'distributed') await distributeDatabase(url, name, workers);
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

function shapeOf(
  { partitioned, distributed }: TestRun,
  options: TestDatabaseOptions,
): TemplateShape | 'empty' | 'distributed' {
  if (options.empty) return 'empty';
  if (options.partitioned) return 'partitioned';
  // On a cluster there is nothing to rehearse.
  if (distributed === 'cluster') return 'distributed';
  if (options.rehearsed || distributed === 'rehearsed') return 'rehearsed';
  return (options.partitioned ?? partitioned) ? 'partitioned' : 'plain';
}

/** Whether the run is about distributed tables, on a cluster or on a server that passes for one. */
export const isDistributedRun = (): boolean =>
  Boolean(process.env['CITUS_URL']) || process.env['WAYMARK_TEST_CITUS'] === 'rehearsed';

/**
 * A test of what only tables on one server have. Where the run is about distributed tables it is
 * skipped, and says why in a sentence.
 */
export function onOneServer(why: string): typeof test | typeof test.skip {
  if (!isDistributedRun()) return test;
  process.stderr.write(`skipped where tables are distributed: ${why}\n`);
  return test.skip;
}

/**
 * A database for the tests of a file or of a `describe`: made before the first of them, dropped
 * after the last.
 */
export function useTestDatabase(): { readonly dataSource: DataSource } {
  const own = {} as { dataSource: DataSource };
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    own.dataSource = await database.connect();
  });
  afterAll(() => database.drop());
  return own;
}
