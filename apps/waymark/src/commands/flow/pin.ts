import type { Command } from '../../command-line/command.js';
import { parseNumber } from '../../command-line/arguments.js';

export function addPinCommand(flow: Command): void {
  flow
    .command('pin <flow>')
    .description('let `latest` mean that version in the environment, whatever is committed later')
    .requiredOption('--version <number>', 'a committed version', parseNumber)
    .recorded('flow.pin', async (session, flow: string, { version }: { version: number }) => {
      const { dataSource, environmentId } = await session.openEnvironment();
      const { pinFlow } = await import('@waymark/domain/flows');
      await pinFlow(dataSource, environmentId, flow, version, session.author);
      const { environment } = session;
      session.print({ flow, environment, version }, `${flow}: latest means version ${version} in ${environment} within a second`);
    });
}

export function addUnpinCommand(flow: Command): void {
  flow
    .command('unpin <flow>')
    .description('let `latest` mean the newest commit again')
    .recorded('flow.unpin', async (session, flow: string) => {
      const { dataSource, environmentId } = await session.openEnvironment();
      const { loadLatestVersion, unpinFlow } = await import('@waymark/domain/flows');
      const pinned = await unpinFlow(dataSource, environmentId, flow, session.author);
      const latest = await loadLatestVersion(dataSource.manager, flow);
      const { environment } = session;
      const text = pinned === null ? `no version of ${flow} was pinned` : `latest means version ${latest} again within a second`;
      session.print({ flow, environment, unpinned: pinned, latest }, `${flow}: ${text} in ${environment}`);
    });
}
