import { Option, type Command } from 'commander';
import type { MigrationStrategy } from '@waymark/domain/engine';
import type { DataSource } from 'typeorm';
import type { Session } from '../../command-line/session.js';

export interface CommitOptions {
  message: string;
  migration: MigrationStrategy;
}

/** What happens to users who are in the flow, in the words of the question that is asked before it does (S28). */
const CONSEQUENCES: Record<MigrationStrategy, string> = {
  'carry-over': 'go on where they are',
  'restart-in-progress': 'begin again',
  'restart-all': 'begin again, and so do those who are through',
  'stop-in-progress': 'are stopped',
};
const STRATEGIES = Object.keys(CONSEQUENCES);

export const addMigrationOption = (command: Command): Command =>
  command.addOption(
    new Option('--migration <strategy>', 'what happens to users with state in an older version')
      .choices(STRATEGIES)
      .default('carry-over'),
  );

/** Says how many users will meet the version and what it does to them; asks where some are restarted or stopped. */
export async function confirmImpact(
  session: Session,
  { manager }: DataSource,
  flow: string,
  strategy: MigrationStrategy,
): Promise<void> {
  const { loadCommitImpact } = await import('@waymark/domain/flows');
  const { inProgress, restarted, stopped } = await loadCommitImpact(manager, flow, strategy);
  session.note(`${flow}: ${inProgress} users are in progress; when they meet the new version they ${CONSEQUENCES[strategy]}`);
  if (restarted > 0) await session.confirm(`This restarts ${restarted} users of ${flow}.`);
  if (stopped > 0) await session.confirm(`This stops ${stopped} users of ${flow}.`);
}

/** One line of the result. */
export function describeCommit({ flow, version, committed }: { flow: string; version: number; committed: boolean }): string {
  if (committed) return `${flow}: version ${version} is committed and live in every environment`;
  if (version === 0) return `${flow}: applied as version 0, to be committed`;
  return `${flow}: nothing differs from version ${version}, so no version was made`;
}
