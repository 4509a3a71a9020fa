import type { FlowDraft } from '@waymark/domain/engine';
import type { DataSource } from 'typeorm';
import type { Command } from '../../../command-line/command.js';
import { CommandRefusal } from '../../../refusal/command-refusal.js';
import type { Session } from '../../../command-line/session.js';
import {
  addCommitOptions,
  type CommitOptions,
  describeCommit,
  readCommitOptions,
} from './commit.js';
import { confirmPlan } from '../plan/confirm-plan.js';
import { problemLines, readStoredFlowFiles, refuseProblems } from '../files/read-flow-files.js';

interface ApplyOptions extends CommitOptions {
  commit?: boolean;
  ifMatch?: string;
}

export function addApplyCommand(flow: Command): void {
  const apply = flow
    .command('apply <files...>')
    .description('write version 0 of each flow, all of them or none')
    .option('--commit', 'and commit it')
    .option(
      '--if-match <hash>',
      'only if the draft is still the text with this SHA-256, as `flow export --json` tells it',
    );
  addCommitOptions(apply).recorded(
    (_names: string[], { commit }: ApplyOptions) => ({
      action: commit ? 'flow.commit' : 'flow.apply',
    }),
    async (session, names: string[], options: ApplyOptions) => {
      const { ifMatch, ...commitOptions } = options;
      const commit = readOptions(commitOptions);
      if (ifMatch !== undefined && names.length > 1)
        throw new CommandRefusal('--if-match is about one file; apply the others by themselves', {
          status: 'usage',
        });
      const dataSource = await session.openOperatorDatabase();
      const { publishFlows } = await import('@waymark/domain/flows');
      const files = await readStoredFlowFiles(dataSource.manager, names);
      await refuseProblems(session, files, ', nothing was stored');
      const drafts = files.flatMap(({ draft }) => draft ?? []);
      if (commit) await confirmAll(session, dataSource, drafts, commit);
      const texts = new Map(
        files.map(({ draft, text }) => [
          draft?.flow ?? '',
          { text, ...(ifMatch !== undefined && { ifMatch }) },
        ]),
      );
      const done = await publishFlows(dataSource, drafts, session.author, commit, texts);
      const flows = done.map((one, index) => ({ ...one, warnings: files[index]!.problems }));
      for (const line of await problemLines(files.flatMap(({ problems }) => problems)))
        session.note(line);
      session.print({ flows }, flows.map(describeCommit).join('\n'));
    },
  );
}

/** What there is to commit with, if anything is to be committed. */
function readOptions({ commit, ...options }: ApplyOptions): Required<CommitOptions> | undefined {
  if (commit) return readCommitOptions(options);
  const [given] = Object.keys(options);
  if (given === undefined) return undefined;
  throw new CommandRefusal(
    `--${given} is about a commit, and without --commit nothing is committed`,
    { status: 'usage' },
  );
}

async function confirmAll(
  session: Session,
  { manager }: DataSource,
  drafts: readonly FlowDraft[],
  { migration }: Required<CommitOptions>,
): Promise<void> {
  const { assignDraftUids } = await import('@waymark/domain/flows');
  const definitions = [];
  for (const draft of drafts) definitions.push(await assignDraftUids(manager, draft));
  await confirmPlan(session, definitions, migration);
}
