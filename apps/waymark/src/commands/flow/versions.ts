import type { Command } from '../../command-line/command.js';
import { table } from '../../output/table.js';

export function addVersionsCommand(flow: Command): void {
  flow
    .command('versions <flow>')
    .description('every version: when, by whom, what it changed, users in progress, where it is pinned')
    .operation(async (session, flow: string) => {
      const { manager } = await session.openOperatorDatabase();
      const { listVersions } = await import('@waymark/domain/flows');
      const versions = await listVersions(manager, flow);
      const rows = versions.map(({ inProgress, pinnedIn, ...version }) => ({
        ...version,
        message: version.version === 0 ? '(the draft)' : version.message,
        'in progress': inProgress,
        pinned: pinnedIn.join(', ') || null,
      }));
      session.print({ flow, versions }, table(rows, ''));
    });
}
