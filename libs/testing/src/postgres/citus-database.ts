import { distributeTables, migrateUp } from '@waymark/domain/schema';
import { readFile } from 'node:fs/promises';
import type pg from 'pg';
import { administer, withDatabase, connect } from './administer.js';

const REHEARSAL = new URL('../../src/postgres/rehearsal.sql', import.meta.url);

/** Few, so that a database is soon made; more than there are workers. */
const SHARDS = 8;

/**
 * The workers of the cluster whose coordinator is `CITUS_URL`, as `postgres://…` that reach each
 * other and it.
 */
export const citusWorkers = (): string[] =>
  (process.env['CITUS_WORKERS'] ?? '').split(',').filter((url) => url !== '');

/**
 * Makes an empty database a distributed one, on the coordinator and on every worker: extension,
 * nodes, tables (G2).
 */
export async function distributeDatabase(
  url: string,
  name: string,
  workers: readonly string[],
): Promise<void> {
  for (const worker of workers) {
    await administer(worker, (client) =>
      client.query(`CREATE DATABASE ${name} TEMPLATE template0`),
    );
    await administer(withDatabase(worker, name), (client) =>
      client.query('CREATE EXTENSION citus'),
    );
  }
  await administer(url, async (client) => {
    await client.query('CREATE EXTENSION citus');
    await addServers(client, url, workers);
  });
  await makeTables(url);
}

/** Makes an empty database of plain PostgreSQL pass for a distributed one, by the same calls. */
export async function rehearseDatabase(url: string): Promise<void> {
  await rehearseCitus(url);
  await makeTables(url);
}

/**
 * Gives a database of plain PostgreSQL that part of Citus which Waymark calls: what Citus refuses
 * to distribute is refused, tables are noted as distributed, and rows stay where they are. Whatever
 * asks whether tables are distributed takes the other way there (G1); which statements Citus takes
 * is for `findRefusals` to say.
 */
export const rehearseCitus = (url: string): Promise<void> =>
  administer(url, async (client) => {
    await client.query(await readFile(REHEARSAL, 'utf8'));
    await addServers(client, url, []);
  });

async function addServers(
  client: pg.Client,
  url: string,
  workers: readonly string[],
): Promise<void> {
  const { hostname, port } = new URL(url);
  await client.query('SELECT citus_set_coordinator_host($1, $2::int)', [hostname, port || '5432']);
  for (const worker of workers.map((text) => new URL(text)))
    await client.query('SELECT citus_add_node($1, $2::int)', [
      worker.hostname,
      worker.port || '5432',
    ]);
  if (workers.length === 0)
    await client.query("SELECT citus_set_node_property($1, $2::int, 'shouldhaveshards', true)", [
      hostname,
      port || '5432',
    ]);
}

async function makeTables(url: string): Promise<void> {
  const dataSource = await connect(url);
  try {
    await migrateUp(dataSource);
    await distributeTables(dataSource, { shards: SHARDS });
  } finally {
    await dataSource.destroy();
  }
}

export async function dropOnWorkers(name: string, workers: readonly string[]): Promise<void> {
  for (const worker of workers)
    await administer(worker, (client) =>
      client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
    );
}
