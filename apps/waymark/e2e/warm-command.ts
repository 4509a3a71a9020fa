import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { type Ended, endOf, ROOT, type RunOptions, variables } from './run-waymark.js';

const PROCESS = path.join(ROOT, 'apps/waymark/e2e/command-process.mjs');
const BUILT = path.join(ROOT, 'dist/apps/waymark/main.js');
/** What no command writes. */
const END = '\u0000end of the line\u0000';

/**
 * A process that runs lines of the built command one after the other, for tests of many lines: each
 * pays for its work only, not for loading the command. Nothing else differs from `runWaymark`,
 * which starts a process for each line.
 */
export class WarmCommand {
  private child: ChildProcess | undefined;
  private said = { stdout: '', stderr: '' };
  private last: Promise<unknown> = Promise.resolve();

  /** Runs one line to its end, after those that were asked for before. */
  async run(args: readonly string[], { env = {}, cwd = '/' }: RunOptions = {}): Promise<Ended> {
    const running = this.last.then(() => this.runLine({ args, env: variables(env), cwd }));
    this.last = running.catch(() => undefined);
    return endOf(await running, args, env['DATABASE_URL']);
  }

  close(): void {
    if (this.child?.connected) this.child.disconnect();
  }

  private async runLine(line: object) {
    const child = (this.child ??= this.start());
    this.said = { stdout: '', stderr: '' };
    const over = new AbortController();
    child.send({ ...line, bin: BUILT, end: END });
    try {
      const status = await Promise.race([this.answer(child, over), this.death(child, over)]);
      const { stdout, stderr } = this.said;
      return { status, stdout: stdout.replace(END, ''), stderr: stderr.replace(END, '') };
    } finally {
      over.abort();
    }
  }

  private start(): ChildProcess {
    const child = fork(PROCESS, { silent: true, execArgv: [] });
    child.stdin!.end();
    child.stdout!.setEncoding('utf8').on('data', (text: string) => (this.said.stdout += text));
    child.stderr!.setEncoding('utf8').on('data', (text: string) => (this.said.stderr += text));
    return child;
  }

  private async answer(child: ChildProcess, { signal }: AbortController): Promise<number> {
    const [{ status }] = (await once(child, 'message', { signal })) as [{ status: number }];
    while (![this.said.stdout, this.said.stderr].every((text) => text.endsWith(END)))
      await Promise.race(
        [child.stdout!, child.stderr!].map((one) => once(one, 'data', { signal })),
      );
    return status;
  }

  /** A line that ends the process; the next one starts another. */
  private async death(child: ChildProcess, { signal }: AbortController): Promise<number | null> {
    const [status] = (await once(child, 'close', { signal })) as [number | null];
    this.child = undefined;
    return status;
  }
}
