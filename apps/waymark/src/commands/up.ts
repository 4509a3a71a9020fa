import type { Command } from '../command-line/command.js';
import { CommandRefusal } from '../refusal/command-refusal.js';

export function addUpCommand(program: Command): void {
  program
    .command('up')
    .description(
      'run the local stack: PostgreSQL (unless DATABASE_URL is set), migrations, demo data and both services',
    )
    .option('--reset', 'delete the data of the local stack first')
    .option('--no-demo', 'without the demo flows')
    .operation(async (session, options: { reset?: boolean; demo: boolean }) => {
      if (session.isJson)
        throw new CommandRefusal('up prints a log and no document: leave --json out', {
          status: 'usage',
        });
      const { runLocalStack } = await import('../local-stack/run-local-stack.js');
      await runLocalStack(session, options);
    });
}
