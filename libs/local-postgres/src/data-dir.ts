import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { clearStalePid, findPostmaster } from './postmaster.js';
import { canEnter, type ServerUser } from './server-user.js';

/** Where root keeps data of checkouts that the server's user may not enter. */
const ELSEWHERE = '/var/lib/waymark';
/** Beside data elsewhere: the path that links to it. */
const ORIGIN = 'linked-from';

/**
 * The folder that really holds the data: `dataDir`, or a place of its own below `/var/lib/waymark`,
 * with a link to it in `dataDir`, when the server's user may not enter there. Creates the parent
 * folder.
 */
export async function resolveDataDir(
  dataDir: string,
  user: ServerUser | undefined,
): Promise<string> {
  const parent = path.dirname(dataDir);
  await makeFolder(parent);
  const link = await readlink(dataDir).catch(() => undefined);
  if (link === undefined && (existsSync(dataDir) || canEnter(parent, user))) return dataDir;
  await removeOrphans();
  const elsewhere =
    link ??
    path.join(
      ELSEWHERE,
      createHash('sha256').update(dataDir).digest('hex').slice(0, 16),
      'postgres',
    );
  await makeFolder(path.dirname(elsewhere));
  await writeFile(path.join(path.dirname(elsewhere), ORIGIN), dataDir);
  if (link === undefined) await symlink(elsewhere, dataDir);
  return elsewhere;
}

/**
 * Parents may be entered by the server's user whatever the umask says; they are not listed to
 * others.
 */
async function makeFolder(folder: string): Promise<void> {
  if (existsSync(folder)) return;
  await makeFolder(path.dirname(folder));
  await mkdir(folder);
  await chmod(folder, 0o711);
}

/**
 * Where the link is gone, the folder it stood in was deleted, and the data was meant to go with it.
 */
async function removeOrphans(): Promise<void> {
  for (const name of await readdir(ELSEWHERE).catch(() => [])) {
    const home = path.join(ELSEWHERE, name);
    const origin = await readFile(path.join(home, ORIGIN), 'utf8').catch(() => undefined);
    const data = path.join(home, 'postgres');
    const isLinked =
      origin !== undefined && (await readlink(origin).catch(() => undefined)) === data;
    if (origin !== undefined && !isLinked && !(await findPostmaster(data)))
      await rm(home, { recursive: true, force: true });
  }
}

/**
 * Deletes the data for good, also where `dataDir` is a link to it. Throws when a server runs on it.
 */
export async function removeData(dataDir: string): Promise<void> {
  if (!(await lstat(dataDir).catch(() => undefined))) return;
  const real = await readlink(dataDir).catch(() => dataDir);
  await clearStalePid(real);
  await rm(real, { recursive: true, force: true });
  await rm(dataDir, { recursive: true, force: true });
}
