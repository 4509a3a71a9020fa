import type { ListedEntry } from '@waymark/domain/database/audit';
import type { Command } from '../command-line/command.js';
import { parseLimit, parseMoment } from '../command-line/arguments.js';
import { table } from '../output/table.js';

export function addAuditCommand(program: Command): void {
  const audit = program.command('audit').description('who changed what, when and why');
  addListCommand(audit);
  audit
    .command('prune')
    .description('delete what is older; the audit log says so')
    .requiredOption('--before <time>', 'a date, or a time such as 365d ago', parseMoment)
    .recorded('audit.prune', async (session, { before }: { before: Date }) => {
      const { pruneAudit } = await import('@waymark/domain/database/audit');
      const dataSource = await session.openOperatorDatabase();
      await session.confirm(
        `This deletes the audit log from before ${before.toISOString()} for ever.`,
      );
      const deleted = await pruneAudit(dataSource, before, session.author);
      session.print({ deleted }, `${deleted} entries are deleted`);
    });
}

interface ListOptions {
  since?: Date;
  until?: Date;
  what?: string;
  user?: string;
  limit: number;
}

function addListCommand(audit: Command): void {
  audit
    .command('list')
    .description(
      'the changes that operators made, of all environments, or those of --by, the newest first',
    )
    .option('--since <time>', 'a date, or 7d for so long ago', parseMoment)
    .option('--until <time>', 'up to a date, or up to 1d ago', parseMoment)
    .option(
      '--what <action>',
      'those of one kind, such as flow.commit, or flow for all about flows',
    )
    .option('--user <id>', 'those about one user of the environment, who may be deleted')
    .option('--limit <number>', 'how many at most', parseLimit, 1_000)
    .operation(async (session, { user, ...filter }: ListOptions) => {
      const { listAudit } = await import('@waymark/domain/database/audit');
      const { userId } = await import('@waymark/domain/users');
      const { dataSource, environmentId } = await session.openEnvironment();
      const about = user === undefined ? undefined : userId(environmentId, user);
      const where = user === undefined ? 'any environment' : session.environment;
      const nothing = `nothing was changed in ${where}`;
      const entries = await listAudit(dataSource.manager, {
        ...filter,
        by: session.by,
        userId: about,
      });
      session.print({ entries }, table(entries.map(row), nothing));
    });
}

function row({ at, by, action, subject, userId, environment, reason, result }: ListedEntry) {
  const { outcome, ...details } = result;
  const lines = Object.entries(details).map(
    ([key, value]) => `${key} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const of = [subject, userId && `user ${userId}`].filter(Boolean).join(', ');
  return { at, by, action, of, environment, result: [outcome, ...lines].join(', '), reason };
}
