import { spawnSync } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { PostgresFailure } from './postgres-failure.js';

/** The user that the server runs as. PostgreSQL refuses root. */
export interface ServerUser {
  uid: number;
  gid: number;
}

/**
 * The present user, unless that is root: then the owner of data that exists, else `postgres`, else
 * `nobody`. Undefined stands for the present user.
 */
export async function findServerUser(dataDir: string): Promise<ServerUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(dataDir).catch(() => undefined);
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const user = lookUp('postgres') ?? lookUp('nobody');
  if (user) return user;
  throw new PostgresFailure(
    'PostgreSQL does not run as root, and there is neither a user "postgres" nor "nobody" to run it as',
  );
}

function lookUp(name: string): ServerUser | undefined {
  const uid = spawnSync('id', ['-u', name], { encoding: 'utf8' });
  const gid = spawnSync('id', ['-g', name], { encoding: 'utf8' });
  if (uid.status !== 0 || gid.status !== 0) return undefined;
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}

/**
 * Whether that user may enter the folder, by asking the system itself: modes, groups and ACLs of
 * every parent count.
 */
export function canEnter(folder: string, user: ServerUser | undefined): boolean {
  return (
    spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { ...user, cwd: '/', stdio: 'ignore' })
      .status === 0
  );
}
