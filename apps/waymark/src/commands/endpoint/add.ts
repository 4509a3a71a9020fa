import { InvalidArgumentError, Option } from 'commander';
import type { LogStart } from '@waymark/domain/events';
import type { Command } from '../../command-line/command.js';
import { collect, parseStart } from '../../command-line/arguments.js';
import type { Session } from '../../command-line/session.js';

interface AddOptions {
  name: string;
  flow: string[];
  type: string[];
  format: string;
  header: Header[];
  from: LogStart;
  drafts?: boolean;
}

export function addAddCommand(endpoint: Command): void {
  endpoint
    .command('add <url>')
    .description('send what happens to that address; the secret is shown this once')
    .requiredOption('--name <name>', 'to tell it from others of the environment')
    .option('--flow <flow>', 'only that flow; may be repeated', collect, [])
    .option(
      '--type <type>',
      'only events of that type, such as flow.finished; may be repeated',
      collect,
      [],
    )
    .addOption(
      new Option('--format <format>', 'how events are written')
        .choices(['standard', 'segment'])
        .default('standard'),
    )
    .option(
      '--header <header>',
      "'name: value', sent with every request; may be repeated",
      collectHeader,
      [],
    )
    .option(
      '--from <start>',
      'now, beginning, or a time such as 2026-01-31T12:00:00Z',
      (text: string) => parseStart(text),
      'now',
    )
    .option('--drafts', 'the events of version 0 too')
    .recorded('endpoint.add', add);
}

async function add(
  session: Session,
  url: string,
  { flow: flows, type: types, header: headers, ...rest }: AddOptions,
): Promise<void> {
  const { addEndpoint } = await import('@waymark/domain/outbound');
  const { dataSource, environmentId } = await session.openEnvironment();
  const wanted = { ...rest, url, flows, types, headers };
  const { name, format, secret } = await addEndpoint(
    dataSource,
    environmentId,
    wanted,
    session.author,
  );
  const endpoint = `endpoint ${name} of ${session.environment}`;
  session.print({ name, url, format, secret }, secret ?? endpoint);
  if (secret !== null) session.note(`${endpoint}; keep its secret, it is not shown again`);
}

type Header = { name: string; value: string };

function collectHeader(text: string, before: Header[]): Header[] {
  const [, name, value] = /^([^:]+):[ \t]*(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError(
      "Write a header as 'name: value', such as 'authorization: Bearer abc'.",
    );
  return [...before, { name, value: value.replace(/[ \t]+$/, '') }];
}
