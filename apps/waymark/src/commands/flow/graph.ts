import { writeFile } from 'node:fs/promises';
import { Option, type Command } from 'commander';
import type { FlowState } from '@waymark/domain/engine';
import type { DataSource } from 'typeorm';
import { operation } from '../../command-line/operation.js';
import type { Session } from '../../command-line/session.js';
import type { GraphFormat } from '../../graph/index.js';
import { parseNumber } from '../../command-line/arguments.js';

interface GraphOptions {
  version?: number;
  user?: string;
  format: GraphFormat;
  output?: string;
}

const FORMATS: readonly GraphFormat[] = ['svg', 'mermaid', 'dot'];

export function addGraph(flow: Command): void {
  flow
    .command('graph <flow>')
    .description('a picture of the flow')
    .option('--version <number>', 'the version; the latest commit without it', parseNumber)
    .option('--user <id>', 'in the colours of where that user is')
    .addOption(new Option('--format <format>', 'how it is drawn').choices(FORMATS).default('svg'))
    .option('-o, --output <file>', 'where to write it; to standard output without it')
    .action(
      operation(async (session, flow: string, { format, user, output, ...options }: GraphOptions) => {
        const dataSource = await session.openDatabase();
        const { loadFlowVersion, loadLatestVersion } = await import('@waymark/domain/flows');
        const { drawFlow } = await import('../../graph/index.js');
        const version = options.version ?? (await loadLatestVersion(dataSource.manager, flow)) ?? 0;
        const { definition } = await loadFlowVersion(dataSource.manager, flow, version);
        const state = user === undefined ? undefined : await loadState(session, dataSource, user, flow, version);
        const graph = drawFlow(definition, format, state);
        if (output === undefined) return session.print({ flow, version, format, graph }, graph.trimEnd());
        await writeFile(output, graph);
        session.print({ flow, version, format, file: output }, `${flow} version ${version} is drawn in ${output}`);
      }),
    );
}

/** Where the user is in that version; the empty state for one who never came near it. Throws `user.unknown`. */
async function loadState(
  session: Session,
  dataSource: DataSource,
  user: string,
  flow: string,
  version: number,
): Promise<FlowState> {
  const { EMPTY_STATE } = await import('@waymark/domain/engine');
  const { getEnvironment } = await import('@waymark/domain/environments');
  const { FlowStateRow } = await import('@waymark/domain/flow-states');
  const { loadUser, userId } = await import('@waymark/domain/users');
  const { id } = await getEnvironment(dataSource, session.environment);
  await loadUser(dataSource, id, user);
  const row = await dataSource.manager.findOneBy(FlowStateRow, { userId: userId(id, user), flow, version });
  return row?.state ?? EMPTY_STATE;
}
