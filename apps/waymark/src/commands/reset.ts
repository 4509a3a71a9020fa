import { Option, type Command } from 'commander';
import type { DataSource } from 'typeorm';
import type { ResetCounts } from '@waymark/domain/flow-states';
import { operation } from '../command-line/operation.js';
import { Refusal } from '../command-line/refusal.js';
import type { Session } from '../command-line/session.js';
import { parseNumber } from '../command-line/arguments.js';

interface ResetArguments {
  version: number;
  user?: string;
  all?: boolean;
  when?: string;
  force: boolean;
  dryRun: boolean;
}

/** Connections for users reset at the same time, and one to look for more. */
const POOL_SIZE = 9;

export function addReset(program: Command): void {
  program
    .command('reset <flow>')
    .description('forget the state of one user or of many, then start as a reset over HTTP does')
    .requiredOption('--version <number>', 'the version', parseNumber)
    .addOption(new Option('--user <id>', 'one user').conflicts(['all', 'when']))
    .addOption(new Option('--all', 'everybody who has a state in that version').conflicts('when'))
    .option('--when <expression>', 'everybody who has a state there and for whom the expression holds')
    .option('--force', 'start again whatever the targeting', false)
    .option('--dry-run', 'only count', false)
    .action(
      operation(async (session, flow: string, options: ResetArguments) => {
        if (options.user === undefined && !options.all && options.when === undefined)
          throw new Refusal('say whom to reset: --user, --all or --when', { status: 'usage' });
        if (!options.dryRun) await session.confirm(question(flow, options, session.environment));
        const counts = await reset(session, flow, options);
        const { matched, reset: done, unchanged, failed } = counts;
        const told = `${matched} matched, ${done} reset, ${unchanged} unchanged, ${failed} failed`;
        session.print(counts, options.dryRun ? `${matched} would be reset` : told);
      }),
    );
}

function question(flow: string, { version, user, when }: ResetArguments, environment: string): string {
  const everybody = when === undefined ? 'everybody' : `everybody with ${when}`;
  const whom = user === undefined ? everybody : `user ${user}`;
  return `This resets version ${version} of ${flow} for ${whom} of ${environment}.`;
}

async function reset(session: Session, flow: string, options: ResetArguments): Promise<ResetCounts> {
  const dataSource = await session.openDatabase({ poolSize: POOL_SIZE });
  const { getEnvironment } = await import('@waymark/domain/environments');
  const { id: environmentId } = await getEnvironment(dataSource, session.environment);
  const { catalogue, runner, changes } = await openRunner(dataSource);
  const resolved = await catalogue.getFlow(flow, options.version);
  try {
    if (options.user === undefined) {
      const { ResetUsers } = await import('@waymark/domain/flow-states');
      const progress = progressOf(session);
      return await new ResetUsers(dataSource, runner).run(environmentId, resolved, {
        ...options,
        onProgress: async (counts) => {
          progress(counts);
          await changes.flush();
        },
        onResume: (began, { matched }) =>
          session.note(`going on with the reset begun at ${began.toISOString()}, after ${matched}`),
      });
    }
    if (options.dryRun) {
      const { loadUser } = await import('@waymark/domain/users');
      await loadUser(dataSource, environmentId, options.user);
      return { matched: 1, reset: 0, unchanged: 0, failed: 0 };
    }
    const actor = { environmentId, user: options.user };
    const { tookEffect } = await runner.run(resolved, actor, { kind: 'reset', force: options.force });
    return { matched: 1, reset: Number(tookEffect), unchanged: Number(!tookEffect), failed: 0 };
  } finally {
    await changes.flush();
  }
}

async function openRunner(dataSource: DataSource) {
  const { Database } = await import('@waymark/domain/database');
  const { FlowCatalogue } = await import('@waymark/domain/flows');
  const { RunCommand } = await import('@waymark/domain/flow-states');
  const { DatabaseStateChanges } = await import('@waymark/domain/live-bus');
  const database = new Database(dataSource);
  const catalogue = new FlowCatalogue(database);
  const changes = new DatabaseStateChanges(database);
  return { catalogue, changes, runner: new RunCommand(database, catalogue, changes) };
}

/** A line that is written over on a terminal, a line now and then elsewhere. */
function progressOf(session: Session): (counts: ResetCounts) => void {
  let told = 0;
  return ({ matched, failed }) => {
    const text = `${matched} users${failed > 0 ? `, ${failed} failed` : ''}`;
    if (process.stderr.isTTY) process.stderr.write(`\r${text}`);
    else if (matched - told >= 10_000) session.note(text);
    else return;
    told = matched;
  };
}
