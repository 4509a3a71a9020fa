import { Option } from 'commander';
import type { Command } from '../../command-line/command.js';
import { parseNumber } from '../../command-line/arguments.js';
import { writeOutput } from '../../output/write-output.js';
import type { Session } from '../../command-line/session.js';
import type { GraphFormat } from '@waymark/picture';
import { loadReport } from './report/report.js';

const FORMATS: readonly GraphFormat[] = ['svg', 'mermaid', 'dot'];

interface GraphOptions {
  version?: number;
  user?: string;
  report?: boolean;
  format: GraphFormat;
  output?: string;
}

export function addGraphCommand(flow: Command): void {
  flow
    .command('graph <flow>')
    .description('a picture of the flow')
    .option(
      '--version <number>',
      'the version; without it the latest commit, or the one that the user is in',
      parseNumber,
    )
    .option('--user <id>', 'in the colours of where that user is')
    .addOption(
      new Option('--report', 'with users in every block and the share of every path').conflicts(
        'user',
      ),
    )
    .addOption(new Option('--format <format>', 'how it is drawn').choices(FORMATS).default('svg'))
    .option('-o, --output <file>', 'where to write it; to standard output without it')
    .operation(async (session, flow: string, options: GraphOptions) => {
      const { format, output } = options;
      const { version, graph } = await draw(session, flow, options);
      if (output === undefined)
        return session.printFile({ flow, version, format, graph }, graph.trimEnd());
      await writeOutput(output, graph);
      session.print(
        { flow, version, format, file: output },
        `${flow} version ${version} is drawn in ${output}`,
      );
    });
}

async function draw(
  session: Session,
  flow: string,
  { format, user, report, version }: GraphOptions,
): Promise<{ version: number; graph: string }> {
  const { loadFlowVersion } = await import('@waymark/domain/flows');
  const { drawFlow } = await import('@waymark/picture');
  const { manager } = await session.openOperatorDatabase();
  const latest = await loadLatest(session, flow, report === true || user !== undefined);
  const seen =
    user === undefined
      ? undefined
      : await loadStateOf(session, user, flow, version ?? null, latest ?? 0);
  const drawn = seen?.version ?? version ?? latest ?? 0;
  const { definition } = await loadFlowVersion(manager, flow, drawn);
  const numbers = report ? await loadReport(session, { flow, version: drawn }) : undefined;
  return {
    version: drawn,
    graph: drawFlow(definition, format, { version: drawn, state: seen?.state, numbers }),
  };
}

/** Pictures of users are about one environment, which may pin what `latest` is (S34). */
async function loadLatest(
  session: Session,
  flow: string,
  isOfUsers: boolean,
): Promise<number | null> {
  const { loadLatestIn, loadLatestVersion } = await import('@waymark/domain/flows');
  if (!isOfUsers) return loadLatestVersion((await session.openOperatorDatabase()).manager, flow);
  const { dataSource, environmentId } = await session.openEnvironment();
  return (await loadLatestIn(dataSource.manager, environmentId, flow)).latest;
}

/** Where the user is, in the highest version that they have a state in unless one is requested. */
async function loadStateOf(
  session: Session,
  user: string,
  flow: string,
  asked: number | null,
  latest: number,
) {
  const { loadState, loadVersionOfUser } = await import('@waymark/domain/states');
  const { dataSource, environmentId } = await session.openEnvironment();
  const highest = await loadVersionOfUser(dataSource.manager, environmentId, user, flow);
  const version = asked ?? highest ?? latest;
  return {
    version,
    state: await loadState(dataSource.manager, environmentId, user, flow, version),
  };
}
