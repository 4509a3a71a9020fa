import { type ChildProcess, spawn, execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';

/**
 * Ends when this process ends, however that comes: the pipe to it is closed then, its first process
 * ends with that, and the kernel ends all others of its namespace.
 */
const GUARD = '"$@" >&2 & cat >/dev/null';

/** Where Debian keeps each release of PostgreSQL. */
const RELEASES = '/usr/lib/postgresql';

/** The programs that a cluster with failover needs, as found on this machine. */
export interface Programs {
  /** The folder of `initdb`, `pg_basebackup` and the like. */
  readonly postgres: string;
  readonly uid: string;
  readonly gid: string;
}

const isThere = (program: string): boolean =>
  spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

/**
 * A program with all that it starts in a process namespace of its own, as if on a machine of its
 * own.
 */
export class Machine {
  private readonly ended: Promise<unknown>;
  /** Its last output, for messages about failures. */
  said = '';

  private constructor(private readonly process: ChildProcess) {
    this.ended = once(process, 'close');
    process.stderr?.on(
      'data',
      (chunk: Buffer) => (this.said = (this.said + chunk.toString()).slice(-4_000)),
    );
    process.stdin?.on('error', () => undefined);
  }

  /** Runs it as the user of PostgreSQL. */
  static start({ uid, gid, postgres }: Programs, command: readonly string[]): Machine {
    const asUser = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', ...command];
    const child = spawn(
      'unshare',
      ['--pid', '--fork', '--kill-child', '--mount-proc', 'sh', '-c', GUARD, 'sh', ...asUser],
      {
        cwd: '/',
        stdio: ['pipe', 'ignore', 'pipe'],
        env: { PATH: `${postgres}:${process.env['PATH']}`, LC_ALL: 'C.UTF-8' },
      },
    );
    return new Machine(child);
  }

  /** Kills every process of it at once, as when a machine loses its power. */
  async kill(): Promise<void> {
    this.process.kill('SIGKILL');
    await this.ended;
  }
}

/** The programs, or what is missing of them. */
export function findPrograms(): Programs | { readonly missing: string } {
  if (process.getuid?.() !== 0) return { missing: 'root, to end a node as a whole' };
  const missing = ['etcd', 'patroni', 'haproxy', 'unshare', 'setpriv'].filter(
    (name) => !isThere(name),
  );
  const postgres = newestRelease();
  if (!postgres) missing.push('postgresql');
  if (missing.length > 0 || !postgres) return { missing: missing.join(', ') };
  if (spawnSync('unshare', ['--pid', '--fork', '--mount-proc', 'true']).status !== 0)
    return { missing: 'leave to make process namespaces' };
  const idOf = (flag: string) =>
    execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }).trim();
  return { postgres, uid: idOf('-u'), gid: idOf('-g') };
}

function newestRelease(): string | undefined {
  if (!existsSync(RELEASES)) return undefined;
  const releases = readdirSync(RELEASES).sort((a, b) => Number(b) - Number(a));
  return releases
    .map((release) => `${RELEASES}/${release}/bin`)
    .find((bin) => existsSync(`${bin}/pg_rewind`));
}
