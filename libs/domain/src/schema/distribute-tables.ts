import type { DataSource, QueryRunner } from 'typeorm';
import { invalidRequest } from '../database/errors/index.js';
import { isDistributed } from '../database/is-distributed.js';
import { retryBriefLock, withBriefLock, withRunner } from './locks/brief-lock.js';
import { DISTRIBUTION_KEYS, REFERENCE_TABLES } from './distribution.js';
import { alone } from './migrate.js';

interface DistributeOptions {
  /**
   * Into how many pieces the users are cut, each of which can move to another server: 32 when left
   * out.
   */
  readonly shards?: number;
}

/**
 * Endpoints of all environments, as `production: crm`: nothing is delivered to them once tables are
 * distributed (G4).
 */
export async function listEndingEndpoints(dataSource: DataSource): Promise<string[]> {
  if (await isDistributed(dataSource)) return [];
  const rows = await dataSource.query<{ name: string }[]>(
    "SELECT v.name || ': ' || n.name AS name FROM endpoints n JOIN environments v ON v.id = n.environment_id ORDER BY 1",
  );
  return rows.map(({ name }) => name);
}

/** What was distributed by this call; nothing where everything was already. */
interface Distributed {
  readonly distributed: readonly string[];
  readonly copied: readonly string[];
}

/**
 * Has Citus spread the tables that grow with the users, all in one transaction, and copy the others
 * to each server (G2). Until it is done writes wait and reads go on. Throws `request.invalid` where
 * that cannot be, with what to do.
 */
export const distributeTables = (
  dataSource: DataSource,
  { shards = 32 }: DistributeOptions = {},
): Promise<Distributed> =>
  alone(dataSource, () =>
    withRunner(dataSource, async (runner) => {
      await refuseUnfit(runner);
      return distribute(runner, shards);
    }),
  );

async function refuseUnfit(runner: QueryRunner): Promise<void> {
  const [facts] = (await runner.query(
    `SELECT EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'citus') AS citus,
       EXISTS (SELECT 1 FROM pg_class WHERE oid = to_regclass('users') AND relkind = 'p') AS partitioned,
       to_regclass('users') IS NOT NULL AS migrated`,
  )) as { citus: boolean; partitioned: boolean; migrated: boolean }[];
  if (!facts?.migrated)
    throw invalidRequest('there are no tables yet: run "waymark migrate up" first');
  if (facts.partitioned)
    throw invalidRequest(
      'the tables are partitioned by waymark.partitions, and cannot also be distributed: Citus cuts them itself',
    );
  if (!facts.citus)
    throw invalidRequest(
      'the database has no Citus: install it on every server and CREATE EXTENSION citus, see docs/citus.md',
    );
}

async function distribute(runner: QueryRunner, shards: number): Promise<Distributed> {
  const rows = (await runner.query(
    'SELECT logicalrelid::regclass::text AS name FROM pg_dist_partition',
  )) as { name: string }[];
  const isNew = (table: string) => !rows.some(({ name }) => name === table);
  const copied = REFERENCE_TABLES.filter(isNew);
  for (const table of copied) await runner.query(`SELECT create_reference_table('${table}')`);
  const distributed = Object.keys(DISTRIBUTION_KEYS).filter(isNew);
  if (distributed.length > 0)
    await retryBriefLock(() => inOneTransaction(runner, distributed, shards));
  // What was copied out of a table lies hidden below it until then.
  for (const table of distributed)
    await withBriefLock(runner, `SELECT truncate_local_data_after_distributing_table('${table}')`);
  return { distributed, copied };
}

/**
 * Nobody can write to one of them already while another one is still copied, and none are left
 * between two shapes.
 */
async function inOneTransaction(
  runner: QueryRunner,
  tables: readonly string[],
  shards: number,
): Promise<void> {
  await runner.startTransaction();
  try {
    await runner.query(`SET LOCAL lock_timeout = 150`);
    await runner.query(`LOCK TABLE ${tables.join(', ')} IN EXCLUSIVE MODE`);
    await runner.query('SET LOCAL lock_timeout = 0');
    await runner.query(`SET LOCAL citus.shard_count = ${Number(shards)}`);
    for (const table of tables) await runner.query(`SELECT ${callFor(table)}`);
    await runner.commitTransaction();
  } catch (error) {
    await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  }
}

function callFor(table: string): string {
  const key = (DISTRIBUTION_KEYS as Record<string, string>)[table];
  const beside = table === 'users' || key !== DISTRIBUTION_KEYS.users ? 'none' : 'users';
  return `create_distributed_table('${table}', '${key}', colocate_with => '${beside}')`;
}
