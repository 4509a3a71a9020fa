import type { Command } from '../../command-line/command.js';
import { CommandRefusal } from '../../refusal/command-refusal.js';

export function addTestCommand(endpoint: Command): void {
  endpoint
    .command('test <name>')
    .description('send waymark.test from this machine and print the answer')
    .operation(async (session, name: string) => {
      const { getEndpoint, testEndpoint } = await import('@waymark/domain/event-log');
      const { dataSource, environmentId } = await session.openEnvironment();
      await getEndpoint(dataSource.manager, environmentId, name);
      const { status, text } = await testEndpoint(dataSource.manager, environmentId, name).catch((error: Error) => {
        throw new CommandRefusal(`endpoint ${name} gives no answer: ${error.message}`, { cause: error });
      });
      const answer = `answered ${status}${text ? `\n${text}` : ''}`;
      if (status < 200 || status > 299)
        throw new CommandRefusal(`endpoint ${name} did not take the test: it ${answer}`, { document: { name, status, text } });
      session.print({ name, status, text }, answer);
    });
}
