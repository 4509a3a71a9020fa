import type { PruneCounts } from '@waymark/domain/events';
import type { Command } from '../../command-line/command.js';
import { parseMoment } from '../../command-line/arguments.js';
import { inDigits } from '../../output/numbers.js';
import { Progress } from '../../output/progress.js';
import type { Session, TriedChange } from '../../command-line/session.js';

interface PruneArguments {
  before: Date;
  dryRun?: boolean;
  evenUndelivered?: boolean;
}

export function addPruneCommand(events: Command): void {
  events
    .command('prune')
    .description('delete old events; current states stay, their history is lost')
    .requiredOption(
      '--before <time>',
      'a time such as 2026-01-31, or 90d for so long ago',
      parseMoment,
    )
    .option('--even-undelivered', 'also what an endpoint has not been told yet')
    .option('--dry-run', 'only count')
    .recorded(tried, prune);
}

async function prune(session: Session, options: PruneArguments): Promise<void> {
  const { pruneEvents } = await import('@waymark/domain/events');
  const { dataSource, environmentId } = await session.openEnvironment();
  const run = (
    dryRun: boolean,
    counted: { readonly total?: number } = {},
  ): Promise<PruneCounts> => {
    const progress = new Progress(session, dryRun ? 'events found' : 'events');
    const onProgress = ({ deleted }: PruneCounts) => progress.show({ done: deleted, ...counted });
    const wanted = { ...options, dryRun, onProgress, signal: session.signal };
    return progress.during(pruneEvents(dataSource, environmentId, wanted, session.author));
  };
  if (options.dryRun) return print(session, await run(true), true);
  let counted = {};
  await session.confirm(async () => {
    const { deleted: total } = await run(true);
    counted = { total };
    return `This deletes ${inDigits(total)} events of ${session.environment} from before ${options.before.toISOString()} for ever.`;
  });
  print(session, await run(false, counted), false);
}

const print = (session: Session, counts: PruneCounts, isDryRun: boolean): void =>
  session.printOf(counts, `${session.environment}: ${describe(counts, isDryRun)}`);

const tried = ({ dryRun }: PruneArguments): TriedChange | null =>
  dryRun ? null : { action: 'events.prune' };

function describe({ deleted, kept, heldBy }: PruneCounts, isDryRun: boolean): string {
  const done = isDryRun ? `${deleted} events would be deleted` : `${deleted} events deleted`;
  if (kept === 0) return done;
  return `${done}; ${kept} stay, as endpoint ${heldBy} has not been told them yet (--even-undelivered takes them too)`;
}
