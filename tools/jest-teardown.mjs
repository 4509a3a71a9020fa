import pg from 'pg';

export default async function teardown() {
  const { desk, run } = globalThis.waymarkTestRun;
  desk.close();
  desk.closeAllConnections();
  if (!run.started) return;
  await run.started.catch(() => undefined);
  await (run.external ? dropDatabases(run) : run.stop?.());
}

/**
 * On servers that are not ours, the workers of a Citus cluster among them, nothing of this run is
 * left behind.
 */
async function dropDatabases({ external, prefix }) {
  const workers = process.env.CITUS_URL
    ? (process.env.CITUS_WORKERS ?? '').split(',').filter((url) => url !== '')
    : [];
  for (const url of [external, ...workers]) await dropOn(url, prefix);
}

async function dropOn(external, prefix) {
  const client = new pg.Client({ connectionString: external });
  await client.connect();
  const { rows } = await client.query(
    'SELECT datname FROM pg_database WHERE starts_with(datname, $1)',
    [prefix],
  );
  for (const { datname } of rows)
    await client.query(`DROP DATABASE IF EXISTS ${client.escapeIdentifier(datname)} WITH (FORCE)`);
  await client.end();
}
