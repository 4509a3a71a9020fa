import type { Command } from '../../command-line/command.js';
import { parseLimit } from '../../command-line/arguments.js';
import { table } from '../../output/table.js';

export function addFailuresCommand(endpoint: Command): void {
  endpoint
    .command('failures <name>')
    .description('events that the receiver refused for good, newest first')
    .option('--limit <number>', 'events at most', parseLimit, 1_000)
    .operation(async (session, name: string, { limit }: { limit: number }) => {
      const { listFailures } = await import('@waymark/domain/event-log');
      const { dataSource, environmentId } = await session.openEnvironment();
      const failures = await listFailures(dataSource.manager, environmentId, name, { limit });
      const rows = failures.map(({ event, error, failedAt }) => {
        const { id, type, user, flow, version } = event;
        return { id, type, user, flow: `${flow}@${version}`, happened: event.timestamp, 'set aside': failedAt, error };
      });
      session.print({ failures }, table(rows, `endpoint ${name} has refused nothing`));
    });
}
