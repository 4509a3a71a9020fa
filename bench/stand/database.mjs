import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createDataSource } from '@waymark/domain/schema';
import { startPostgres } from '@waymark/local-postgres';

/**
 * A PostgreSQL of the bench's own, durable as in production, with further settings of
 * `postgresql.conf`. `create(name)` gives a migrated database `{ url, dataSource }`; `close()` ends
 * and deletes all.
 */
export async function openServer(furtherSettings = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), 'waymark-bench-'));
  const settings = {
    max_connections: '300',
    shared_buffers: '256MB',
    max_wal_size: '4GB',
    shared_preload_libraries: 'pg_stat_statements',
    ...furtherSettings,
  };
  const server = await startPostgres({
    dataDir: path.join(folder, 'server/postgres'),
    durable: true,
    settings,
  });
  const open = [];
  const create = async (name) => {
    const admin = await connect(server.url);
    await admin.query(`CREATE DATABASE ${name}`);
    await admin.destroy();
    const url = Object.assign(new URL(server.url), { pathname: `/${name}` }).href;
    const dataSource = await connect(url);
    await dataSource.query('CREATE EXTENSION pg_stat_statements');
    await dataSource.runMigrations({ transaction: 'each' });
    open.push(dataSource);
    return { url, dataSource };
  };
  const close = async () => {
    for (const dataSource of open) await dataSource.destroy();
    await server.stop('immediate');
    await rm(folder, { recursive: true, force: true });
  };
  return { create, close };
}

const connect = (url) =>
  createDataSource({
    url,
    poolSize: 2,
    applicationName: 'bench',
    statementTimeoutMs: 0,
    connectTimeoutMs: 5_000,
    answerTimeoutMs: 0,
  }).initialize();

/**
 * Statements and commits of other connections while `work` runs, without what a service at rest
 * polls (P7) or `counts` leaves out.
 */
export async function countStatements(dataSource, work, counts = () => true) {
  await dataSource.query('SELECT pg_stat_statements_reset()');
  await work();
  const all = await dataSource.query(
    `SELECT query, calls::int FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid
      WHERE d.datname = current_database() AND toplevel
        AND query !~ 'pg_stat_statements|reference_revisions|FROM api_keys'`,
  );
  const rows = all.filter(({ query }) => counts(query));
  const isWrite = ({ query }) => /\b(INSERT|UPDATE|DELETE)\b/i.test(query);
  const sum = (list) => list.reduce((total, { calls }) => total + calls, 0);
  return { statements: sum(rows), commits: sum(rows.filter(isWrite)) };
}
