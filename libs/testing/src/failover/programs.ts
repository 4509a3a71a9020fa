import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';

/** Where Debian keeps each release of PostgreSQL. */
const RELEASES = '/usr/lib/postgresql';

/** The programs that a cluster with failover needs, as found on this machine. */
export interface Programs {
  /** The folder of `initdb`, `pg_basebackup` and the like. */
  readonly postgres: string;
  readonly uid: string;
  readonly gid: string;
}

/** The programs, or what is missing of them. */
export function findPrograms(): Programs | { readonly missing: string } {
  if (process.getuid?.() !== 0) return { missing: 'root, to end a node as a whole' };
  const missing = ['etcd', 'patroni', 'haproxy', 'unshare', 'setpriv'].filter((name) => !isThere(name));
  const postgres = newestRelease();
  if (!postgres) missing.push('postgresql');
  if (missing.length > 0 || !postgres) return { missing: missing.join(', ') };
  if (spawnSync('unshare', ['--pid', '--fork', '--mount-proc', 'true']).status !== 0)
    return { missing: 'leave to make process namespaces' };
  const idOf = (flag: string) => execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }).trim();
  return { postgres, uid: idOf('-u'), gid: idOf('-g') };
}

const isThere = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

function newestRelease(): string | undefined {
  if (!existsSync(RELEASES)) return undefined;
  const releases = readdirSync(RELEASES).sort((a, b) => Number(b) - Number(a));
  return releases.map((release) => `${RELEASES}/${release}/bin`).find((bin) => existsSync(`${bin}/pg_rewind`));
}
