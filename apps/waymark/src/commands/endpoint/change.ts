import type { LogStart } from '@waymark/domain/events';
import type { Command } from '../../command-line/command.js';
import { parseStart } from '../../command-line/arguments.js';

/** Commands that change an existing endpoint. */
export function addChangesCommand(endpoint: Command): void {
  endpoint
    .command('pause <name>')
    .description('send nothing for now; events wait until it is resumed')
    .recorded('endpoint.pause', async (session, name: string) => {
      const { pauseEndpoint } = await import('@waymark/domain/outbound');
      const { dataSource, environmentId } = await session.openEnvironment();
      await pauseEndpoint(dataSource, environmentId, name, session.author);
      session.printOf(
        { name, state: 'paused' },
        `paused: endpoint ${name} of ${session.environment}`,
      );
    });
  endpoint
    .command('resume <name>')
    .description('send again, from where it was, and at once')
    .recorded('endpoint.resume', async (session, name: string) => {
      const { resumeEndpoint } = await import('@waymark/domain/outbound');
      const { dataSource, environmentId } = await session.openEnvironment();
      await resumeEndpoint(dataSource, environmentId, name, session.author);
      session.printOf(
        { name, state: 'delivering' },
        `resumed: endpoint ${name} of ${session.environment}`,
      );
    });
  addRemove(endpoint);
  addReplay(endpoint);
  addRotate(endpoint);
}

function addRemove(endpoint: Command): void {
  endpoint
    .command('remove <name>')
    .description('forget the endpoint, how far it had come, and what it refused')
    .recorded('endpoint.remove', async (session, name: string) => {
      const { getEndpoint, removeEndpoint } = await import('@waymark/domain/outbound');
      const { dataSource, environmentId } = await session.openEnvironment();
      await getEndpoint(dataSource.manager, environmentId, name);
      await session.confirm(
        `This removes endpoint ${name} of ${session.environment}: what waits for it is never sent there.`,
      );
      await removeEndpoint(dataSource, environmentId, name, session.author);
      session.printOf(
        { name, removed: true },
        `removed: endpoint ${name} of ${session.environment}`,
      );
    });
}

function addReplay(endpoint: Command): void {
  endpoint
    .command('replay <name>')
    .description('send everything again that happened from there on, with the same ids')
    .requiredOption(
      '--from <start>',
      'beginning, or a time such as 2026-01-31T12:00:00Z',
      (text: string) => parseStart(text),
    )
    .recorded('endpoint.replay', async (session, name: string, { from }: { from: LogStart }) => {
      const { replayEndpoint } = await import('@waymark/domain/outbound');
      const { dataSource, environmentId } = await session.openEnvironment();
      await replayEndpoint(dataSource, environmentId, name, from, session.author);
      session.printOf({ name, from }, `endpoint ${name} of ${session.environment} begins again`);
    });
}

function addRotate(endpoint: Command): void {
  endpoint
    .command('rotate-secret <name>')
    .description('make a new secret, shown this once; for 24 hours the old one signs too')
    .recorded('endpoint.rotate-secret', async (session, name: string) => {
      const { rotateEndpointSecret } = await import('@waymark/domain/outbound');
      const { dataSource, environmentId } = await session.openEnvironment();
      const secret = await rotateEndpointSecret(dataSource, environmentId, name, session.author);
      session.print({ name, secret }, secret);
      session.note(
        `endpoint ${name} of ${session.environment}; keep its secret, it is not shown again`,
      );
    });
}
