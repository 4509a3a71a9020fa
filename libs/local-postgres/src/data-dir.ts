import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, chown, lstat, mkdir, readFile, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { explain, PostgresFailure } from './postgres-failure.js';
import { canEnter, type ServerUser } from './server-user.js';

/** Where root keeps data of checkouts that the server's user may not enter. */
const ELSEWHERE = '/var/lib/waymark';
const PASSWORD_FILE = 'superuser.password';

/**
 * The folder that really holds the data: `dataDir`, or a place of its own below `/var/lib/waymark`, with a link to it in
 * `dataDir`, when the server's user may not enter there. Creates the parent folder.
 */
export async function resolveDataDir(dataDir: string, user: ServerUser | undefined): Promise<string> {
  const parent = path.dirname(dataDir);
  await makeFolder(parent);
  const link = await readlink(dataDir).catch(() => undefined);
  if (link) return link;
  if (existsSync(dataDir) || canEnter(parent, user)) return dataDir;
  const elsewhere = path.join(ELSEWHERE, createHash('sha256').update(dataDir).digest('hex').slice(0, 16), 'postgres');
  // No link means that the folder it stood in was deleted, and the data with it.
  await rm(path.dirname(elsewhere), { recursive: true, force: true });
  await makeFolder(path.dirname(elsewhere));
  await symlink(elsewhere, dataDir);
  return elsewhere;
}

/** Parents may be entered by the server's user whatever the umask says; they are not listed to others. */
async function makeFolder(folder: string): Promise<void> {
  if (existsSync(folder)) return;
  await makeFolder(path.dirname(folder));
  await mkdir(folder);
  await chmod(folder, 0o711);
}

/** Creates the cluster unless it exists. It appears whole or not at all: a kill on the way leaves no half-made data. */
export async function initialise(native: string, dataDir: string, user: ServerUser | undefined): Promise<void> {
  if (existsSync(path.join(dataDir, 'PG_VERSION'))) return;
  const draft = `${dataDir}.new`;
  const passwordFile = `${draft}.password`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  await writeFile(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 });
  for (const made of user ? [draft, passwordFile] : []) await chown(made, user!.uid, user!.gid);
  runInitdb(native, draft, passwordFile, user);
  await rename(passwordFile, path.join(draft, PASSWORD_FILE));
  await rename(draft, dataDir);
}

function runInitdb(native: string, draft: string, passwordFile: string, user: ServerUser | undefined): void {
  const { status, error, stdout, stderr } = spawnSync(
    path.join(native, 'bin/initdb'),
    ['-D', draft, '-U', 'postgres', '-E', 'UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'].concat([
      '--no-sync',
      '--no-instructions',
      '--auth=scram-sha-256',
      `--pwfile=${passwordFile}`,
    ]),
    { ...user, cwd: '/', encoding: 'utf8', env: { LC_ALL: 'C', TZ: 'UTC' } },
  );
  if (status === 0) return;
  throw explain('PostgreSQL cannot create its data', error ? error.message : `${stdout}${stderr}`, {
    dataDir: draft.replace(/\.new$/, ''),
  });
}

/** The password of the superuser, made with the data. */
export async function readPassword(dataDir: string): Promise<string> {
  try {
    return await readFile(path.join(dataDir, PASSWORD_FILE), 'utf8');
  } catch (cause) {
    throw new PostgresFailure(`the data in ${dataDir} cannot be opened: ${(cause as Error).message}`, { cause });
  }
}

/**
 * Throws when a server runs on the data. What a killed server left is removed where its process id now belongs to some
 * other process, which PostgreSQL would take for the server.
 */
export async function clearStalePid(dataDir: string): Promise<void> {
  const pidFile = path.join(dataDir, 'postmaster.pid');
  const lines = (await readFile(pidFile, 'utf8').catch(() => '')).split('\n');
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  if (!pid || !isAlive(pid)) return;
  if (await listens(port))
    throw explain('PostgreSQL cannot be started', 'lock file "postmaster.pid" already exists', { dataDir });
  await rm(pidFile);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const answer = (is: boolean) => (socket.destroy(), resolve(is));
    socket.once('connect', () => answer(true)).once('error', () => answer(false));
  });
}

/** Deletes the data for good, also where `dataDir` is a link to it. Throws when a server runs on it. */
export async function removeData(dataDir: string): Promise<void> {
  if (!(await lstat(dataDir).catch(() => undefined))) return;
  const real = await readlink(dataDir).catch(() => dataDir);
  await clearStalePid(real);
  await rm(real, { recursive: true, force: true });
  await rm(dataDir, { recursive: true, force: true });
}
