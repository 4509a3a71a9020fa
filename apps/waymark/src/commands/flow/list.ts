import type { Command } from '../../command-line/command.js';
import { table } from '../../output/table.js';

export function addListCommand(flow: Command): void {
  flow
    .command('list')
    .description('every flow, archived ones too')
    .operation(async (session) => {
      const { listFlows } = await import('@waymark/domain/flows');
      const listed = await listFlows((await session.openOperatorDatabase()).manager);
      const flows = listed.map(({ differs: _, ...flow }) => flow);
      const { dateWithZone } = await import('@waymark/domain/engine');
      const rows = flows.map(({ pins, ...flow }) => ({
        ...flow,
        end: flow.end === null ? null : dateWithZone(flow.end),
        pins: describePins(pins),
      }));
      session.print(
        { flows },
        table(rows, 'there are no flows: apply one with `waymark flow apply FILE`'),
      );
    });
}

function describePins(pins: Readonly<Record<string, number>>): string | null {
  return (
    Object.entries(pins)
      .map(([environment, version]) => `${environment}: ${version}`)
      .join(', ') || null
  );
}

export function addVersionsCommand(flow: Command): void {
  flow
    .command('versions <flow>')
    .description(
      'every version: when, by whom, what it changed, users in progress, where it is pinned',
    )
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
