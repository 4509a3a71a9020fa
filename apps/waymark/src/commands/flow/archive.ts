import type { DataSource } from 'typeorm';
import type { Command } from '../../command-line/command.js';
import { countUsers } from '../../output/numbers.js';

export function addArchiveCommand(flow: Command): void {
  flow
    .command('archive <flow>')
    .description('make the flow unknown to clients; applying its file brings it back with the states of its users')
    .recorded('flow.archive', async (session, flow: string) => {
      const dataSource = await session.openOperatorDatabase();
      const { archiveFlow, loadLatestVersion } = await import('@waymark/domain/flows');
      await loadLatestVersion(dataSource.manager, flow);
      await session.confirm(
        async () => `This hides ${flow} from the clients of every environment${await inProgress(dataSource, flow)}.`,
      );
      await archiveFlow(dataSource, flow, session.author);
      session.print({ flow, archived: true }, `${flow} is archived`);
    });
}

/** How many users are in it, over all environments; nothing where counting them takes too long. */
async function inProgress(dataSource: DataSource, flow: string): Promise<string> {
  const { listEnvironments } = await import('@waymark/domain/environments');
  const { countInProgress } = await import('@waymark/domain/flow-states');
  let users = 0;
  for (const { id } of await listEnvironments(dataSource)) {
    const counts = await countInProgress(dataSource, id);
    if (counts === null) return '';
    users += counts.get(flow) ?? 0;
  }
  return `; ${countUsers(users)} in progress`;
}
