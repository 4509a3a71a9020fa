import type { Command } from '../../command-line/command.js';
import { addAddCommand } from './add.js';
import { addChangesCommand } from './change.js';
import { addListCommand } from './list.js';
import { parseLimit } from '../../command-line/arguments.js';
import { CommandRefusal } from '../../refusal/command-refusal.js';

export function addEndpointCommand(program: Command): void {
  const endpoint = program
    .command('endpoint')
    .description('where the events of the environment are sent');
  addAddCommand(endpoint);
  addListCommand(endpoint);
  addChangesCommand(endpoint);
  addFailuresCommand(endpoint);
  addTestCommand(endpoint);
}

function addTestCommand(endpoint: Command): void {
  endpoint
    .command('test <name>')
    .description('send waymark.test from this machine and print the answer')
    .operation(async (session, name: string) => {
      const { getEndpoint, testEndpoint } = await import('@waymark/domain/outbound');
      const { dataSource, environmentId } = await session.openEnvironment();
      await getEndpoint(dataSource.manager, environmentId, name);
      const { status, text } = await testEndpoint(dataSource.manager, environmentId, name).catch(
        (error: Error) => {
          throw new CommandRefusal(`endpoint ${name} gives no answer: ${error.message}`, {
            cause: error,
          });
        },
      );
      const answer = `answered ${status}${text ? `\n${text}` : ''}`;
      if (status < 200 || status > 299)
        throw new CommandRefusal(`endpoint ${name} did not take the test: it ${answer}`, {
          document: { name, status, text },
        });
      session.print({ name, status, text }, answer);
    });
}

function addFailuresCommand(endpoint: Command): void {
  endpoint
    .command('failures <name>')
    .description('events that the receiver refused for good, newest first')
    .option('--limit <number>', 'events at most', parseLimit, 1_000)
    .operation(async (session, name: string, { limit }: { limit: number }) => {
      const { listFailures } = await import('@waymark/domain/outbound');
      const { dataSource, environmentId } = await session.openEnvironment();
      const failures = await listFailures(dataSource.manager, environmentId, name, { limit });
      const rows = failures.map(({ event, error, failedAt }) => {
        const { id, type, user, flow, version } = event;
        return {
          id,
          type,
          user,
          flow: `${flow}@${version}`,
          happened: event.timestamp,
          'set aside': failedAt,
          error,
        };
      });
      session.printOf({ failures }, session.table(rows, `endpoint ${name} has refused nothing`));
    });
}
