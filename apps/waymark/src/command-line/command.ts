import * as commander from 'commander';
import { CommandRefusal, Declined } from '../refusal/command-refusal.js';
import { type GlobalOptions, Session, type TriedChange } from './session.js';

type Work<Args extends unknown[]> = (session: Session, ...args: Args) => Promise<void>;
export type OpenSession = (...made: ConstructorParameters<typeof Session>) => Session;
/** What is tried, from operands and options. */
type RecordedChange<Args extends unknown[]> = { of(...args: Args): TriedChange | null }['of'];

/**
 * A command of `waymark`. Each lives in one file of `commands/` that exports a function which adds
 * it to its parent:
 *
 *     export function addGreetCommand(parent: Command): void {
 *       parent
 *         .command('greet <user>')
 *         .description('greet a user')
 *         .option('--loud', 'with a shout')
 *         .operation(async (session, user: string, { loud }: { loud?: boolean }) => {
 *           const { loadUser } = await import('@waymark/domain/user-records'); // heavy imports:
 *           only when the command runs
 *           const dataSource = await session.openOperatorDatabase();
 *           ...
 *           session.print({ user, greeted: true }, `Hello ${user}`); // --json or text, exactly
 *           once
 *         });
 *     }
 *
 * and is listed in `commands/index.ts`. One that changes something is made with `recorded` instead.
 * Static imports are for light things only, so that `waymark --help` is quick. A command refuses by
 * throwing `CommandRefusal`, or lets a `DomainError` pass; both become one sentence and an exit
 * status. Questions go through `session.confirm`, remarks through `session.note`.
 */
export class Command extends commander.Command {
  /** What opens the session of each run; `waymark mcp` has one that prints nothing. */
  openSession: OpenSession = (...made) => new Session(...made);

  override createCommand(name?: string): Command {
    const child = new Command(name);
    child.openSession = this.openSession;
    return child;
  }

  /** What the command does, from its operands and options. Closing is done here. */
  operation<Args extends unknown[]>(work: Work<Args>): this {
    return this.action(async (...all: unknown[]) => {
      const command = all.pop() as Command;
      // What reads settings is too heavy for `waymark --help`.
      const { readCommandSettings } = await import('../config/settings.js');
      const session = command.openSession(
        command.optsWithGlobals<GlobalOptions>(),
        readCommandSettings,
      );
      try {
        await work(session, ...(all as Args));
      } finally {
        await session.close();
      }
    });
  }

  /**
   * An operation that changes something, so that every run of it leaves one row in the audit log
   * (I7): the change leaves it itself, and what is refused before the change begins leaves it here.
   * `tried` says what the change is called there, null for a run that only looks, such as a dry
   * one. A line that is wrong in itself was never tried, and leaves none.
   */
  recorded<Args extends unknown[]>(tried: string | RecordedChange<Args>, work: Work<Args>): this {
    return this.operation<Args>(async (session, ...args) => {
      try {
        await work(session, ...args);
      } catch (error) {
        const change = typeof tried === 'string' ? { action: tried } : tried(...args);
        // If the row cannot be written either, the refusal is the error to report.
        if (change && wasTried(error))
          await session.recordRefusal(change, await toDomainError(error)).catch(() => undefined);
        throw error;
      }
    });
  }
}

const wasTried = (error: unknown): boolean =>
  !(error instanceof CommandRefusal) || error.status === 'refused';

/** The error in words of the domain; answering no to a question stops the command. */
async function toDomainError(error: unknown): Promise<unknown> {
  if (error instanceof Declined) return new DOMException(error.message, 'AbortError');
  if (!(error instanceof CommandRefusal)) return error;
  const { invalidRequest } = await import('@waymark/domain/database/errors');
  return invalidRequest(error.message, { cause: error });
}
