import type { Command } from 'commander';
import { operation } from '../../command-line/operation.js';
import { Refusal } from '../../command-line/refusal.js';
import { addMigrationOption, type CommitOptions, confirmImpact, describeCommit } from './commit-options.js';
import { type FlowFile, problemLines, readFlowFiles, refuseProblems } from './read-flow-files.js';

interface ApplyOptions extends Partial<CommitOptions> {
  commit?: boolean;
}

export function addApply(flow: Command): void {
  const apply = flow
    .command('apply <files...>')
    .description('write version 0 of each flow, all of them or none')
    .option('--commit', 'and commit it')
    .option('-m, --message <text>', 'what the commit changes');
  addMigrationOption(apply).action(
    operation(async (session, names: string[], { commit, message, migration = 'carry-over' }: ApplyOptions) => {
      if (commit && !message) throw new Refusal('--commit needs a message: -m "what it changes"', { status: 'usage' });
      const dataSource = await session.openDatabase();
      const { applyFlows, commitFlow, listFlows } = await import('@waymark/domain/flows');
      const stored = (await listFlows(dataSource.manager)).filter(({ archived }) => !archived);
      const files = await readFlowFiles(
        names,
        stored.map((one) => one.flow),
      );
      await refuseProblems(session, files, ', nothing was stored');
      const drafts = files.flatMap(({ draft }) => draft ?? []);
      if (commit) for (const draft of drafts) await confirmImpact(session, dataSource, draft.flow, migration);
      const flows = await dataSource.transaction(async (manager) => {
        await applyFlows(manager, drafts);
        const results = [];
        for (const file of files) {
          const { flow } = file.draft!;
          const done = commit ? await commitFlow(manager, flow, message!, migration) : { version: 0, committed: false };
          results.push({ flow, ...done, warnings: file.problems });
        }
        return results;
      });
      for (const line of await warnings(files)) session.note(line);
      session.print({ flows }, flows.map(describeCommit).join('\n'));
    }),
  );
}

const warnings = (files: readonly FlowFile[]): Promise<string[]> => problemLines(files.flatMap(({ problems }) => problems));
