import { Option } from 'commander';
import type { OperatorAccess, ResetCounts } from '@waymark/domain/states';
import type { ResolvedFlow } from '@waymark/domain/flows';
import type { Command } from '../command-line/command.js';
import { conditionOf, parseNumber } from '../command-line/arguments.js';
import { countUsers } from '../output/numbers.js';
import { Progress } from '../output/progress.js';
import { CommandRefusal } from '../refusal/command-refusal.js';
import type { Session, TriedChange } from '../command-line/session.js';

interface ResetArguments {
  version: number;
  user?: string;
  all?: boolean;
  when?: string;
  segment?: string;
  force: boolean;
  dryRun: boolean;
}

/** Connections for users reset at the same time, and one to look for more. */
const POOL_SIZE = 9;
/** Users that a dry run names. */
const SAMPLE = 5;

export function addResetCommand(program: Command): void {
  program
    .command('reset <flow>')
    .description('forget the state of one user or of many, then start as a reset over HTTP does')
    .requiredOption('--version <number>', 'the version', parseNumber)
    .addOption(new Option('--user <id>', 'one user').conflicts(['all', 'when', 'segment']))
    .addOption(
      new Option('--all', 'everybody who has a state in that version').conflicts([
        'when',
        'segment',
      ]),
    )
    .option(
      '--when <expression>',
      'everybody who has a state there and for whom the expression holds',
    )
    .option('--segment <name>', 'everybody who has a state there and is in that segment')
    .option('--force', 'start again whatever the targeting', false)
    .option('--dry-run', 'only count whom it is for, and name some', false)
    .recorded(
      triedChange,
      async (session, flow: string, { when, segment, ...about }: ResetArguments) => {
        const options = { ...about, ...conditionOf({ when, segment }) };
        await checkArguments(options);
        const { counts, sample } = await carryOut(session, flow, options);
        const done = options.dryRun ? describeDryRun(counts, sample) : describe(counts);
        session.printOf(counts, `${session.environment}: ${done}`);
      },
    );
}

function triedChange(_flow: string, { user, dryRun }: ResetArguments): TriedChange | null {
  if (dryRun) return null;
  return user === undefined ? { action: 'reset.run' } : { action: 'state.reset', user };
}

/** Refuses what cannot be meant before anything is looked up or asked. */
async function checkArguments({ user, all, when }: ResetArguments): Promise<void> {
  if (user === undefined && !all && when === undefined)
    throw new CommandRefusal('say whom to reset: --user, --all, --when or --segment', {
      status: 'usage',
    });
  if (when === undefined) return;
  const { ExpressionSyntaxError, parseExpression } = await import('@waymark/domain/targeting');
  try {
    parseExpression(when, 'any');
  } catch (error) {
    if (!(error instanceof ExpressionSyntaxError)) throw error;
    throw new CommandRefusal(`--when ${error.line}:${error.column} ${error.message}`, {
      cause: error,
    });
  }
}

function question(
  flow: string,
  { version, when, force }: ResetArguments,
  whom: string,
  environment: string,
): string {
  const condition = when === undefined ? '' : ` with ${when}`;
  const targeting = force ? ', whatever its targeting' : '';
  return `This resets version ${version} of ${flow} for ${whom} of ${environment}${condition}${targeting}.`;
}

function describe({ matched, reset, unchanged, failed }: ResetCounts): string {
  return `${matched} matched, ${reset} reset, ${unchanged} unchanged, ${failed} failed`;
}

/** Does not promise that they would be reset: some may be clean already. */
function describeDryRun({ matched }: ResetCounts, sample: readonly string[]): string {
  const some =
    sample.length < matched ? `, among them ${sample.join(', ')}` : `: ${sample.join(', ')}`;
  return `${matched} matched${matched === 0 ? '' : some}; nothing was reset`;
}

interface Outcome {
  counts: ResetCounts & { run?: string | null };
  /** Some of those it is for. */
  sample: string[];
}

async function carryOut(session: Session, flow: string, options: ResetArguments): Promise<Outcome> {
  const { openOperatorAccess } = await import('@waymark/domain/states');
  const { dataSource, environmentId } = await session.openEnvironment({ poolSize: POOL_SIZE });
  const access = openOperatorAccess(dataSource, session.settings.preparedStatements);
  const resolved = await access.catalogue.getFlow(flow, options.version);
  const { user } = options;
  const context = { session, access, environmentId, resolved };
  if (user === undefined) return resetMany(context, options);
  const { loadUser } = await import('@waymark/domain/records');
  await loadUser(dataSource, environmentId, user);
  return resetOne(context, user, options);
}

interface ResetContext {
  session: Session;
  access: OperatorAccess;
  environmentId: string;
  resolved: ResolvedFlow;
}

async function resetOne(
  { session, access, environmentId, resolved }: ResetContext,
  user: string,
  options: ResetArguments,
): Promise<Outcome> {
  const sample = [user];
  if (options.dryRun) return { counts: { matched: 1, reset: 0, unchanged: 0, failed: 0 }, sample };
  const { flow, version } = resolved;
  await session.confirm(
    question(flow, options, `user ${JSON.stringify(user)}`, session.environment),
  );
  const { commandState } = await import('@waymark/domain/states');
  const wanted = { user, flow, version, intent: { kind: 'reset', force: options.force } } as const;
  const { tookEffect } = await commandState(access, environmentId, wanted, session.author);
  return {
    counts: { matched: 1, reset: Number(tookEffect), unchanged: Number(!tookEffect), failed: 0 },
    sample,
  };
}

async function resetMany(context: ResetContext, options: ResetArguments): Promise<Outcome> {
  if (options.dryRun) return runReset(context, options);
  const { session, resolved } = context;
  let counted = {};
  await session.confirm(async () => {
    const { matched: total } = (await runReset(context, { ...options, dryRun: true })).counts;
    counted = { total };
    return question(resolved.flow, options, countUsers(total), session.environment);
  });
  return runReset(context, options, counted);
}

/** Carries the reset out, or counts the users it would be for. */
async function runReset(
  { session, access, environmentId, resolved }: ResetContext,
  { when, force, dryRun }: ResetArguments,
  counted: { readonly total?: number } = {},
): Promise<Outcome> {
  const { ResetUsers } = await import('@waymark/domain/states');
  const progress = new Progress(session, dryRun ? 'users found' : 'users');
  const sample: string[] = [];
  const options = {
    ...(when !== undefined && { when }),
    force,
    dryRun,
    signal: session.signal,
    onMatched: (users: readonly string[]) => sample.push(...users.slice(0, SAMPLE - sample.length)),
    onProgress: ({ matched, failed }: ResetCounts, share: number) =>
      progress.show({
        done: matched,
        share,
        ...counted,
        ...(failed > 0 && { more: `${failed} failed` }),
      }),
    onResume: (began: Date, { matched }: ResetCounts) =>
      session.note(`continuing the reset begun at ${began.toISOString()}, after ${matched}`),
  };
  const reset = new ResetUsers(access.dataSource, access.runner, access.changes);
  const { run, ...counts } = await progress.during(
    reset.run(environmentId, resolved, options, session.author),
  );
  if (run) session.note(`\`waymark resets undo ${run}\` takes it back`);
  return { counts: run ? { ...counts, run } : counts, sample };
}
