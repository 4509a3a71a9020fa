import { Option } from 'commander';
import type { MigrationStrategy } from '@waymark/domain/engine';
import type { EntityManager } from 'typeorm';
import type { Command } from '../../../command-line/command.js';
import type { Session } from '../../../command-line/session.js';
import { confirmPlan } from '../plan/confirm-plan.js';
import { CommandRefusal } from '../../../refusal/command-refusal.js';
import { STRATEGIES } from '../plan/plan.js';

/** As they are written; `readCommitOptions` makes sense of them. */
export interface CommitOptions {
  message?: string;
  migration?: MigrationStrategy;
}

const LONGEST_MESSAGE = 1_000;

export const addCommitOptions = (command: Command): Command =>
  command
    .option('-m, --message <text>', 'what the commit changes')
    .addOption(
      new Option(
        '--migration <strategy>',
        'what happens to users with state in an older version; carry-over without it',
      ).choices(STRATEGIES),
    );

export function addCommitCommand(flow: Command): void {
  const commit = flow
    .command('commit <flow>')
    .description('make version 0 the next version, live where no other version is pinned');
  addCommitOptions(commit).recorded(
    'flow.commit',
    async (session, flow: string, options: CommitOptions) => {
      const words = readCommitOptions(options);
      const dataSource = await session.openOperatorDatabase();
      const { commitVersion, loadUncommitted } = await import('@waymark/domain/flows');
      const definition = await loadUncommitted(dataSource.manager, flow);
      await warnOfUnknownGroup(session, dataSource.manager, definition.attention?.group);
      await confirmPlan(session, [definition], words.migration);
      const done = await commitVersion(dataSource, flow, words, session.author);
      const result = { flow, ...done, warnings: [] };
      session.print({ flows: [result] }, describeCommit(result));
    },
  );
}

/** Refuses a commit without a message as wrong usage. */
export function readCommitOptions({
  message,
  migration = 'carry-over',
}: CommitOptions): Required<CommitOptions> {
  if (!message?.trim())
    throw new CommandRefusal('a commit needs a message: -m "what it changes"', { status: 'usage' });
  const { length } = [...message];
  if (length > LONGEST_MESSAGE)
    throw new CommandRefusal(
      `the message of a commit has ${LONGEST_MESSAGE} characters at most, this one has ${length}`,
      {
        status: 'usage',
      },
    );
  return { message, migration };
}

/** One line of the result. */
export function describeCommit({
  flow,
  version,
  committed,
}: {
  flow: string;
  version: number;
  committed: boolean;
}): string {
  if (committed)
    return `${flow}: version ${version} is committed, live within a second where no other version is pinned`;
  if (version === 0) return `${flow}: applied as version 0, to be committed`;
  return `${flow}: nothing differs from version ${version}, so no version was made`;
}

/** There is no text to point into, as `flow apply` has. */
async function warnOfUnknownGroup(
  session: Session,
  manager: EntityManager,
  group: string | undefined,
): Promise<void> {
  const { listAttentionGroups } = await import('@waymark/domain/flows');
  if (group === undefined || (await listAttentionGroups(manager)).has(group)) return;
  session.note(`warning: there is no attention group "${group}", which means no limit`);
}
