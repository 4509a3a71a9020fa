import type { Command } from 'commander';
import { operation } from '../../command-line/operation.js';
import { addCommitOptions, type CommitOptions, confirmImpact, describeCommit, readCommitOptions } from './commit-options.js';

export function addCommit(flow: Command): void {
  const commit = flow.command('commit <flow>').description('make version 0 the next version, live in every environment');
  addCommitOptions(commit).action(
    operation(async (session, flow: string, options: CommitOptions) => {
      const { message, migration } = readCommitOptions(options);
      const dataSource = await session.openDatabase();
      const { commitFlow, loadUncommitted } = await import('@waymark/domain/flows');
      const definition = await loadUncommitted(dataSource.manager, flow);
      await confirmImpact(session, dataSource.manager, definition, migration);
      const done = await dataSource.transaction((manager) => commitFlow(manager, flow, message, migration));
      const result = { flow, ...done, warnings: [] };
      session.print({ flows: [result] }, describeCommit(result));
    }),
  );
}
