import type { ListedEffect } from '@waymark/domain/outbound';
import { parseLimit } from '../command-line/arguments.js';
import type { Command } from '../command-line/command.js';
import { inDigits } from '../output/numbers.js';
import { table } from '../output/table.js';

export function addEffectsCommand(program: Command): void {
  const effects = program
    .command('effects')
    .description('webhooks and flow triggers that wait or have failed');
  effects
    .command('list')
    .description('what waits or has failed, oldest first')
    .option('--limit <number>', 'how many at most', parseLimit, 1_000)
    .operation(async (session, { limit }: { limit: number }) => {
      const { listEffects } = await import('@waymark/domain/outbound');
      const { dataSource, environmentId } = await session.openEnvironment();
      const listed = await listEffects(dataSource.manager, environmentId, { limit: limit + 1 });
      const shown = listed.slice(0, limit);
      const isCut = listed.length > limit;
      session.printOf(
        { effects: shown, isCut },
        session.table(shown.map(effectRow), 'nothing waits and nothing has failed'),
      );
      if (isCut)
        session.note(`these are the oldest ${inDigits(limit)}, and there are more: --limit`);
    });
  effects
    .command('retry <id>')
    .description('carry one out again at once, with 24 hours before it fails anew')
    .recorded('effect.retry', async (session, id: string) => {
      const { retryEffect } = await import('@waymark/domain/outbound');
      const { dataSource, environmentId } = await session.openEnvironment();
      await retryEffect(dataSource, environmentId, id, session.author);
      session.printOf({ effects: [{ id }] }, `effect ${id} is carried out again`);
    });
}

function effectRow({
  id,
  user,
  flow,
  version,
  effect,
  attempts,
  createdAt,
  nextAttemptAt,
  failedAt,
  lastError,
}: ListedEffect) {
  const what =
    effect.kind === 'webhook'
      ? `webhook ${effect.url}`
      : `${effect.intent} ${effect.flow}@${effect.version}`;
  const next = failedAt ? 'failed' : nextAttemptAt;
  return {
    id,
    user,
    flow: `${flow}@${version}`,
    what,
    since: createdAt,
    attempts,
    next,
    'last error': lastError,
  };
}

export function addFailuresCommand(program: Command): void {
  program
    .command('failures')
    .description(
      'webhooks, flow triggers and events for endpoints that were given up, newest first',
    )
    .option('--limit <number>', 'how many at most', parseLimit, 1_000)
    .operation(async (session, { limit }: { limit: number }) => {
      const { listGivenUp } = await import('@waymark/domain/outbound');
      const { dataSource, environmentId } = await session.openEnvironment();
      const found = await listGivenUp(dataSource.manager, environmentId, { limit: limit + 1 });
      const failures = found.slice(0, limit);
      const isCut = found.length > limit;
      const rows = failures.map(({ flow, version, ...row }) => ({
        ...row,
        flow: `${flow}@${version}`,
      }));
      session.print(
        { failures, isCut },
        table(rows, `nothing was given up in ${session.environment}`),
      );
      if (isCut)
        session.note(`these are the newest ${inDigits(limit)}, and there are more: --limit`);
    });
}
