import type { Command } from 'commander';
import type { PruneCounts } from '@waymark/domain/event-log';
import { parseMoment } from '../../command-line/arguments.js';
import { operation } from '../../command-line/operation.js';
import { Progress } from '../../command-line/progress.js';

interface PruneArguments {
  before: Date;
  dryRun?: boolean;
  evenUndelivered?: boolean;
}

export function addPrune(events: Command): void {
  events
    .command('prune')
    .description('delete old events; states stay, what they were before can no longer be told')
    .requiredOption('--before <time>', 'a time such as 2026-01-31, or 90d for so long ago', parseMoment)
    .option('--even-undelivered', 'also what an endpoint has not been told yet')
    .option('--dry-run', 'only count')
    .action(
      operation(async (session, options: PruneArguments) => {
        const { pruneEvents } = await import('@waymark/domain/event-log');
        const { dataSource, environmentId } = await session.openEnvironment();
        const since = options.before.toISOString();
        if (!options.dryRun)
          await session.confirm(`This deletes the events of ${session.environment} from before ${since} for ever.`);
        const progress = new Progress(session);
        const { signal } = session;
        const onProgress = ({ deleted }: PruneCounts) => progress.tell(deleted, `${deleted} events`);
        try {
          const counts = await pruneEvents(dataSource, environmentId, { ...options, onProgress, signal }, session.author);
          progress.end();
          session.print(counts, describe(counts, options.dryRun === true));
        } finally {
          progress.end();
        }
      }),
    );
}

function describe({ deleted, kept, heldBy }: PruneCounts, isDryRun: boolean): string {
  const done = isDryRun ? `${deleted} events would be deleted` : `${deleted} events deleted`;
  if (kept === 0) return done;
  return `${done}; ${kept} stay, as endpoint ${heldBy} has not been told them yet (--even-undelivered takes them too)`;
}
