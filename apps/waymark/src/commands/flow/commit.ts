import type { Command } from 'commander';
import { operation } from '../../command-line/operation.js';
import { addMigrationOption, type CommitOptions, confirmImpact, describeCommit } from './commit-options.js';

export function addCommit(flow: Command): void {
  const commit = flow
    .command('commit <flow>')
    .description('make version 0 the next version, live in every environment')
    .requiredOption('-m, --message <text>', 'what the commit changes');
  addMigrationOption(commit).action(
    operation(async (session, flow: string, { message, migration }: CommitOptions) => {
      const dataSource = await session.openDatabase();
      const { commitFlow } = await import('@waymark/domain/flows');
      await confirmImpact(session, dataSource, flow, migration);
      const done = await dataSource.transaction((manager) => commitFlow(manager, flow, message, migration));
      const result = { flow, ...done, warnings: [] };
      session.print({ flows: [result] }, describeCommit(result));
    }),
  );
}
