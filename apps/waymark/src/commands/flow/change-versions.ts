import type { DataSource } from 'typeorm';
import type { Command } from '../../command-line/command.js';
import { parseNumber } from '../../command-line/arguments.js';
import { countUsers } from '../../output/numbers.js';

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
      session.print(
        { flow, environment, version },
        `${flow}: latest means version ${version} in ${environment} within a second`,
      );
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
      const text =
        pinned === null
          ? `no version of ${flow} was pinned`
          : `latest means version ${latest} again within a second`;
      session.print(
        { flow, environment, unpinned: pinned, latest },
        `${flow}: ${text} in ${environment}`,
      );
    });
}

export function addRevertCommand(flow: Command): void {
  flow
    .command('revert <flow>')
    .description(
      'make a committed version the draft again, as it was written; nothing is committed',
    )
    .requiredOption('--to <number>', 'the version', parseNumber)
    .recorded('flow.revert', async (session, flow: string, { to }: { to: number }) => {
      const dataSource = await session.openOperatorDatabase();
      const { revertFlow } = await import('@waymark/domain/flows');
      const changed = await revertFlow(dataSource, flow, to, session.author);
      const next = `\`waymark flow commit ${flow} -m "back to version ${to}"\` makes it live`;
      const text = changed
        ? `${flow}: the draft is version ${to} again; ${next}`
        : `${flow}: the draft is version ${to} already`;
      session.print({ flow, version: to, changed }, text);
    });
}

export function addArchiveCommand(flow: Command): void {
  flow
    .command('archive <flow>')
    .description(
      'make the flow unknown to clients; applying its file brings it back with the states of its users',
    )
    .recorded('flow.archive', async (session, flow: string) => {
      const dataSource = await session.openOperatorDatabase();
      const { archiveFlow, listReleased, loadLatestVersion } =
        await import('@waymark/domain/flows');
      await loadLatestVersion(dataSource.manager, flow);
      const released = await listReleased(dataSource.manager, flow);
      const where = Object.entries(released).map(
        ([name, version]) => `version ${version} in ${name}`,
      );
      const too = where.length > 0 ? `, also what is released: ${where.join(', ')}` : '';
      await session.confirm(
        async () =>
          `This hides ${flow} from the clients of every environment${too}${await inProgress(dataSource, flow)}.`,
      );
      await archiveFlow(dataSource, flow, session.author);
      session.print({ flow, archived: true, released }, `${flow} is archived${too}`);
    });
}

/** How many users are in it, over all environments; nothing where counting them takes too long. */
async function inProgress(dataSource: DataSource, flow: string): Promise<string> {
  const { listEnvironments } = await import('@waymark/domain/access');
  const { countInProgress } = await import('@waymark/domain/states');
  let users = 0;
  for (const { id } of await listEnvironments(dataSource)) {
    const counts = await countInProgress(dataSource, id);
    if (counts === null) return '';
    users += counts.get(flow) ?? 0;
  }
  return `; ${countUsers(users)} in progress`;
}
