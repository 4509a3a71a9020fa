import { administer, withDatabase, connect } from './administer.js';
import { rehearseDatabase } from './citus-database.js';
import type { TestRun } from './test-run.js';

const PARTITIONS = 4;
const BUILDING = 7_140_070;

export type TemplateShape = 'plain' | 'partitioned' | 'rehearsed';

const ready = new Map<TemplateShape, Promise<string>>();

/**
 * The migrated database that test databases are cloned from: made once a run, by whichever worker
 * comes first.
 */
export function loadTemplate(run: TestRun, shape: TemplateShape): Promise<string> {
  const known = ready.get(shape) ?? buildOnce(run, shape);
  ready.set(shape, known);
  return known;
}

function buildOnce(run: TestRun, shape: TemplateShape): Promise<string> {
  const name = `${run.prefix}_${shape}`;
  return administer(run.url, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [BUILDING]);
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (rowCount) return name;
    // Under another name until it is whole: a worker that dies on the way leaves no half-made
    // template.
    await client.query(`DROP DATABASE IF EXISTS ${name}_draft`);
    await client.query(`CREATE DATABASE ${name}_draft`);
    if (shape === 'partitioned')
      await client.query(`ALTER DATABASE ${name}_draft SET waymark.partitions = ${PARTITIONS}`);
    const draft = withDatabase(run.url, `${name}_draft`);
    await (shape === 'rehearsed' ? rehearseDatabase(draft) : migrate(draft));
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
