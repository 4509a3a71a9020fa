import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Programs } from './programs.js';

/**
 * Ends when this process ends, however that comes: the pipe to it is closed then, its first process ends with that, and the
 * kernel ends all others of its namespace.
 */
const GUARD = '"$@" >&2 & cat >/dev/null';

/** A program with all that it starts in a process namespace of its own, as if on a machine of its own. */
export class Machine {
  private readonly ended: Promise<unknown>;
  /** Its last output, for messages about failures. */
  said = '';

  private constructor(private readonly process: ChildProcess) {
    this.ended = once(process, 'close');
    process.stderr?.on('data', (chunk: Buffer) => (this.said = (this.said + chunk.toString()).slice(-4_000)));
    process.stdin?.on('error', () => undefined);
  }

  /** Runs it as the user of PostgreSQL. */
  static start({ uid, gid, postgres }: Programs, command: readonly string[]): Machine {
    const asUser = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', ...command];
    const child = spawn('unshare', ['--pid', '--fork', '--kill-child', '--mount-proc', 'sh', '-c', GUARD, 'sh', ...asUser], {
      cwd: '/',
      stdio: ['pipe', 'ignore', 'pipe'],
      env: { PATH: `${postgres}:${process.env['PATH']}`, LC_ALL: 'C.UTF-8' },
    });
    return new Machine(child);
  }

  /** Kills every process of it at once, as when a machine loses its power. */
  async kill(): Promise<void> {
    this.process.kill('SIGKILL');
    await this.ended;
  }
}
