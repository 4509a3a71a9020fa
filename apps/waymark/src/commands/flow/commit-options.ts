import { Option, type Command } from 'commander';
import type { FlowDefinition, MigrationStrategy } from '@waymark/domain/engine';
import type { EntityManager } from 'typeorm';
import { Refusal } from '../../refusal/refusal.js';
import type { Session } from '../../command-line/session.js';

/** As they are written; `readCommitOptions` makes sense of them. */
export interface CommitOptions {
  message?: string;
  migration?: MigrationStrategy;
}

const LONGEST_MESSAGE = 1_000;

/** What happens to users who are in the flow, in the words of the question that is asked before it does (S28). */
const CONSEQUENCES: Record<MigrationStrategy, string> = {
  'carry-over': 'go on where they are',
  'restart-in-progress': 'begin again',
  'restart-all': 'begin again, and so do those who are through',
  'stop-in-progress': 'are stopped',
};
const STRATEGIES = Object.keys(CONSEQUENCES);

export const addCommitOptions = (command: Command): Command =>
  command
    .option('-m, --message <text>', 'what the commit changes')
    .addOption(
      new Option('--migration <strategy>', 'what happens to users with state in an older version; carry-over without it').choices(
        STRATEGIES,
      ),
    );

/** Refuses a commit without a message as wrong usage. */
export function readCommitOptions({ message, migration = 'carry-over' }: CommitOptions): Required<CommitOptions> {
  if (!message?.trim()) throw new Refusal('a commit needs a message: -m "what it changes"', { status: 'usage' });
  const { length } = [...message];
  if (length > LONGEST_MESSAGE)
    throw new Refusal(`the message of a commit has ${LONGEST_MESSAGE} characters at most, this one has ${length}`, {
      status: 'usage',
    });
  return { message, migration };
}

/**
 * Says how many users will meet the version and what it does to them; asks where some are restarted or stopped. Nothing of
 * it where the definition is that of the last version, so that a commit makes none.
 */
export async function confirmImpact(
  session: Session,
  manager: EntityManager,
  definition: FlowDefinition,
  strategy: MigrationStrategy,
): Promise<void> {
  const { loadCommitImpact, wouldCommit } = await import('@waymark/domain/flows');
  if (!(await wouldCommit(manager, definition))) return;
  const { flow } = definition;
  const { inProgress, restarted, stopped } = await loadCommitImpact(manager, flow, strategy);
  const are = inProgress === 1 ? 'is' : 'are';
  session.note(`${flow}: ${users(inProgress)} ${are} in progress; when they meet the new version they ${CONSEQUENCES[strategy]}`);
  if (restarted > 0) await session.confirm(`This restarts ${users(restarted)} of ${flow}.`);
  if (stopped > 0) await session.confirm(`This stops ${users(stopped)} of ${flow}.`);
}

const users = (count: number): string => `${count} ${count === 1 ? 'user' : 'users'}`;

/** One line of the result. */
export function describeCommit({ flow, version, committed }: { flow: string; version: number; committed: boolean }): string {
  if (committed) return `${flow}: version ${version} is committed and live in every environment`;
  if (version === 0) return `${flow}: applied as version 0, to be committed`;
  return `${flow}: nothing differs from version ${version}, so no version was made`;
}
