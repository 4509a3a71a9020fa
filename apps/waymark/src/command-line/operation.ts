import type { Command } from 'commander';
import { Session, type GlobalOptions } from './session.js';

/**
 * How a command is made. Each lives in one file of `commands/` that exports a function which adds it to its parent:
 *
 *     export function addGreetCommand(parent: Command): void {
 *       parent
 *         .command('greet <user>')
 *         .description('greet a user')
 *         .option('--loud', 'with a shout')
 *         .action(
 *           operation(async (session, user: string, { loud }: { loud?: boolean }) => {
 *             const { loadUser } = await import('@waymark/domain/user-records');    // heavy imports: only when the command runs
 *             const dataSource = await session.openOperatorDatabase();
 *             ...
 *             session.print({ user, greeted: true }, `Hello ${user}`);        // --json or text, exactly once
 *           }),
 *         );
 *     }
 *
 * and is listed in `commands/index.ts`. One that changes something is made with `recorded` instead. Static imports are for light things only, so that `waymark --help` is quick. A
 * command refuses by throwing `CommandRefusal`, or lets a `DomainError` pass; both become one sentence and an exit status.
 * Questions go through `session.confirm`, remarks through `session.note`. Closing is done here.
 */
export function operation<Args extends unknown[]>(
  work: (session: Session, ...args: Args) => Promise<void>,
): (...args: [...Args, Command]) => Promise<void> {
  return async (...all) => {
    const command = all.pop() as Command;
    // What reads settings is too heavy for `waymark --help`.
    const { readCommandSettings } = await import('../config/settings.js');
    const session = new Session(command.optsWithGlobals<GlobalOptions>(), readCommandSettings);
    try {
      await work(session, ...(all as unknown as Args));
    } finally {
      await session.close();
    }
  };
}
