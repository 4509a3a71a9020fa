// One PostgreSQL serves all workers of a run. It starts when the first test asks for it, so that a
// run of pure specs pays nothing: this process answers `GET /` with the address of the server.
// Databases and templates are made by the tests themselves (libs/testing/src/postgres). With
// DATABASE_URL set that server is used instead.
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build, projects } from './build.mjs';

export default async function setup() {
  const run = {
    prefix: `waymark_test_${process.pid}_${Date.now().toString(36)}`,
    external: process.env.CITUS_URL ?? process.env.DATABASE_URL,
  };
  const desk = createServer(async (_request, response) => {
    // A worker may ask again much later: a connection kept open for that might close just then.
    response.setHeader('connection', 'close');
    try {
      run.started ??= run.external ? Promise.resolve({ url: run.external }) : startServer(run);
      response.end(JSON.stringify({ url: (await run.started).url, prefix: run.prefix }));
    } catch (error) {
      response.writeHead(503).end(error.message);
    }
  });
  await once(desk.listen(0, '127.0.0.1'), 'listening');
  desk.unref();
  process.env.WAYMARK_TEST_DESK = `http://127.0.0.1:${desk.address().port}`;
  globalThis.waymarkTestRun = { desk, run };
}

async function startServer(run) {
  const library = (await projects()).find(({ name }) => name === 'local-postgres');
  if (!existsSync(path.join(library.out, 'index.js'))) await build([library]);
  const { startPostgres } = await import(path.join(library.out, 'index.js'));
  run.folder = await mkdtemp(path.join(tmpdir(), 'waymark-test-'));
  // The server may run as another user, who has to be able to enter these folders.
  await chmod(run.folder, 0o711);
  const settings = { max_connections: '400', shared_preload_libraries: 'pg_stat_statements' };
  const server = await startPostgres({
    dataDir: path.join(run.folder, 'postgres'),
    durable: false,
    settings,
  });
  run.stop = async () => {
    await server.stop('immediate');
    await rm(run.folder, { recursive: true, force: true });
  };
  return server;
}
