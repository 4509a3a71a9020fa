import type { DataSource } from 'typeorm';
import { defineStatement, type Statement } from './statement.js';

/** Asked first, as PostgreSQL without Citus does not know the table that the other one reads. */
const HAS_CITUS = defineStatement(
  'has_citus',
  "SELECT to_regclass('pg_dist_partition') IS NOT NULL AS yes",
);

/** Not among the defined statements, since it can be prepared only where Citus is. */
const SPREADS_TABLES: Statement = {
  name: 'spreads_tables',
  text: "SELECT EXISTS (SELECT 1 FROM pg_dist_partition WHERE partmethod = 'h') AS yes",
  servers: 'any',
};

/** Whether Citus spreads the tables over servers (G1); `run` runs a statement. */
export async function lookWhetherDistributed(
  run: (statement: Statement) => Promise<readonly { readonly yes: boolean }[]>,
): Promise<boolean> {
  const isSo = async (statement: Statement) => (await run(statement))[0]?.yes === true;
  return (await isSo(HAS_CITUS)) && (await isSo(SPREADS_TABLES));
}

/** The same for statements that run rarely, which need not remember it. */
export const isDistributed = (dataSource: DataSource): Promise<boolean> =>
  lookWhetherDistributed(({ text }) => dataSource.query<{ yes: boolean }[]>(text));

/**
 * What PostgreSQL and Citus say to what they cannot do: of a statement, that it is for the other
 * shape of the tables.
 */
export const isUnsupported = (error: unknown): boolean =>
  (error as { code?: unknown }).code === '0A000';
