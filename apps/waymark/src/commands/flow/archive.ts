import type { Command } from 'commander';
import { operation } from '../../command-line/operation.js';

export function addArchive(flow: Command): void {
  flow
    .command('archive <flow>')
    .description('make the flow unknown to clients; applying its file brings it back with the states of its users')
    .action(
      operation(async (session, flow: string) => {
        const dataSource = await session.openDatabase();
        const { archiveFlow, loadLatestVersion } = await import('@waymark/domain/flows');
        await loadLatestVersion(dataSource.manager, flow);
        await session.confirm(`This hides ${flow} from the clients of every environment.`);
        await archiveFlow(dataSource, flow, session.author);
        session.print({ flow, archived: true }, `${flow} is archived`);
      }),
    );
}
