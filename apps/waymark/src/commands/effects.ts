import type { ListedEffect } from '@waymark/domain/effects';
import type { Command } from '../command-line/command.js';
import { table } from '../output/table.js';

export function addEffectsCommand(program: Command): void {
  const effects = program.command('effects').description('webhooks and flow triggers that wait or have failed');
  effects
    .command('list')
    .description('what waits or has failed, oldest first')
    .operation(async (session) => {
      const { listEffects } = await import('@waymark/domain/effects');
      const { dataSource, environmentId } = await session.openEnvironment();
      const listed = await listEffects(dataSource.manager, environmentId);
      session.print({ effects: listed }, table(listed.map(effectRow), 'nothing waits and nothing has failed'));
    });
  effects
    .command('retry <id>')
    .description('carry one out again at once, with 24 hours before it fails anew')
    .recorded('effect.retry', async (session, id: string) => {
      const { retryEffect } = await import('@waymark/domain/effects');
      const { dataSource, environmentId } = await session.openEnvironment();
      await retryEffect(dataSource, environmentId, id, session.author);
      session.print({ effects: [{ id }] }, `effect ${id} is carried out again`);
    });
}

function effectRow({ id, user, flow, version, effect, attempts, createdAt, nextAttemptAt, failedAt, lastError }: ListedEffect) {
  const what = effect.kind === 'webhook' ? `webhook ${effect.url}` : `${effect.intent} ${effect.flow}@${effect.version}`;
  const next = failedAt ? 'failed' : nextAttemptAt;
  return { id, user, flow: `${flow}@${version}`, what, since: createdAt, attempts, next, 'last error': lastError };
}
