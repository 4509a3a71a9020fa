import type { Command } from '../../../command-line/command.js';
import { addCommitOptions, type CommitOptions, describeCommit, readCommitOptions } from './commit-options.js';
import { confirmPlan } from '../plan/confirm-plan.js';

export function addCommitCommand(flow: Command): void {
  const commit = flow.command('commit <flow>').description('make version 0 the next version, live in every environment');
  addCommitOptions(commit).recorded('flow.commit', async (session, flow: string, options: CommitOptions) => {
    const words = readCommitOptions(options);
    const dataSource = await session.openOperatorDatabase();
    const { commitVersion, loadUncommitted } = await import('@waymark/domain/flows');
    const definition = await loadUncommitted(dataSource.manager, flow);
    await confirmPlan(session, [definition], words.migration);
    const done = await commitVersion(dataSource, flow, words, session.author);
    const result = { flow, ...done, warnings: [] };
    session.print({ flows: [result] }, describeCommit(result));
  });
}
