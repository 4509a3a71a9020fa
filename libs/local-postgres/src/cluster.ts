import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { explain, PostgresFailure } from './postgres-failure.js';
import { isAlive } from './postmaster.js';
import type { ServerUser } from './server-user.js';

const PASSWORD_FILE = 'superuser.password';
const DRAFT = '.new-';

/**
 * Creates the data unless it exists. It appears whole or not at all: a kill on the way leaves
 * nothing half-made, and of two processes at once one makes it and the other finds it.
 */
export async function initialise(
  native: string,
  dataDir: string,
  user: ServerUser | undefined,
): Promise<void> {
  if (existsSync(path.join(dataDir, 'PG_VERSION'))) return;
  await removeAbandonedDrafts(dataDir);
  const draft = await mkdtemp(`${dataDir}${DRAFT}${process.pid}-`);
  const passwordFile = `${draft}.password`;
  try {
    await writeFile(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 });
    for (const made of user ? [draft, passwordFile] : []) await chown(made, user!.uid, user!.gid);
    runInitdb(native, draft, passwordFile, user);
    await rename(passwordFile, path.join(draft, PASSWORD_FILE));
    await rename(draft, dataDir);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    await rm(passwordFile, { force: true });
    if (!existsSync(path.join(dataDir, 'PG_VERSION'))) throw error;
  }
}

async function removeAbandonedDrafts(dataDir: string): Promise<void> {
  const start = `${path.basename(dataDir)}${DRAFT}`;
  for (const name of await readdir(path.dirname(dataDir))) {
    const isAbandoned =
      name.startsWith(start) && !isAlive(Number.parseInt(name.slice(start.length)));
    if (isAbandoned)
      await rm(path.join(path.dirname(dataDir), name), { recursive: true, force: true });
  }
}

function runInitdb(
  native: string,
  draft: string,
  passwordFile: string,
  user: ServerUser | undefined,
): void {
  const initdb = path.join(native, 'bin/initdb');
  // Releases before 17 have no locale of their own for all scripts.
  const builtin =
    releaseOf(initdb) >= 17 ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'] : [];
  const locale = ['-E', 'UTF8', ...builtin, '--locale=C'];
  const access = ['-U', 'postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  const { status, error, stdout, stderr } = spawnSync(
    initdb,
    ['-D', draft, ...locale, ...access, '--no-sync', '--no-instructions'],
    { ...user, cwd: '/', encoding: 'utf8', env: { LC_ALL: 'C', TZ: 'UTC' } },
  );
  if (status === 0) return;
  const said = error ? error.message : `${stdout}${stderr}`;
  throw explain('PostgreSQL cannot create its data', said, { dataDir: path.dirname(draft) });
}

/** As in `initdb (PostgreSQL) 18.4`; 0 where it does not run, which its next use explains. */
const releaseOf = (program: string): number =>
  Number.parseInt(
    spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout?.split(') ')[1] ?? '0',
  );

/** The password of the superuser, made with the data. */
export async function readPassword(dataDir: string): Promise<string> {
  try {
    return await readFile(path.join(dataDir, PASSWORD_FILE), 'utf8');
  } catch (cause) {
    throw new PostgresFailure(
      `the data in ${dataDir} cannot be opened: ${(cause as Error).message}`,
      { cause },
    );
  }
}
