import { createDataSource } from '@waymark/domain/schema';
import { administer, withDatabase } from './administer.js';
import type { TestRun } from './test-run.js';

const PARTITIONS = 4;
const BUILDING = 7_140_070;

const ready = new Map<boolean, Promise<string>>();

/** The migrated database that test databases are cloned from: made once a run, by whichever worker comes first. */
export function loadTemplate(run: TestRun, partitioned: boolean): Promise<string> {
  const known = ready.get(partitioned) ?? buildOnce(run, partitioned);
  ready.set(partitioned, known);
  return known;
}

function buildOnce(run: TestRun, partitioned: boolean): Promise<string> {
  const name = `${run.prefix}_${partitioned ? 'partitioned' : 'plain'}`;
  return administer(run.url, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [BUILDING]);
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (rowCount) return name;
    // Under another name until it is whole: a worker that dies on the way leaves no half-made template.
    await client.query(`DROP DATABASE IF EXISTS ${name}_draft`);
    await client.query(`CREATE DATABASE ${name}_draft`);
    if (partitioned) await client.query(`ALTER DATABASE ${name}_draft SET waymark.partitions = ${PARTITIONS}`);
    await migrate(withDatabase(run.url, `${name}_draft`));
    await client.query(`ALTER DATABASE ${name}_draft RENAME TO ${name}`);
    return name;
  });
}

/** Makes the schema. */
export async function migrate(url: string): Promise<void> {
  const dataSource = await connect(url);
  try {
    await dataSource.runMigrations({ transaction: 'each' });
  } finally {
    await dataSource.destroy();
  }
}

/** A connected data source with settings fit for tests. */
export const connect = (url: string) =>
  createDataSource({
    url,
    poolSize: 5,
    applicationName: 'waymark-test',
    statementTimeoutMs: 0,
    connectTimeoutMs: 5_000,
    answerTimeoutMs: 0,
  }).initialize();
