import { Option } from 'commander';
import type { MigrationStrategy } from '@waymark/domain/engine';
import type { Command } from '../../../command-line/command.js';
import { CommandRefusal } from '../../../refusal/command-refusal.js';
import { STRATEGIES } from '../plan/strategies.js';

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
      new Option('--migration <strategy>', 'what happens to users with state in an older version; carry-over without it').choices(
        STRATEGIES,
      ),
    );

/** Refuses a commit without a message as wrong usage. */
export function readCommitOptions({ message, migration = 'carry-over' }: CommitOptions): Required<CommitOptions> {
  if (!message?.trim()) throw new CommandRefusal('a commit needs a message: -m "what it changes"', { status: 'usage' });
  const { length } = [...message];
  if (length > LONGEST_MESSAGE)
    throw new CommandRefusal(`the message of a commit has ${LONGEST_MESSAGE} characters at most, this one has ${length}`, {
      status: 'usage',
    });
  return { message, migration };
}

/** One line of the result. */
export function describeCommit({ flow, version, committed }: { flow: string; version: number; committed: boolean }): string {
  if (committed) return `${flow}: version ${version} is committed, live in every environment within a second`;
  if (version === 0) return `${flow}: applied as version 0, to be committed`;
  return `${flow}: nothing differs from version ${version}, so no version was made`;
}
