import type { Command } from 'commander';
import { operation } from '../../command-line/operation.js';
import { parseNumber } from '../../command-line/arguments.js';

export function addExport(flow: Command): void {
  flow
    .command('export <flow>')
    .description('a version as a flow file in the long form; applying it changes nothing')
    .option('--version <number>', 'the version; 0, the one being edited, without it', parseNumber, 0)
    .action(
      operation(async (session, flow: string, { version }: { version: number }) => {
        const { manager } = await session.openDatabase();
        const { formatFlowFile } = await import('@waymark/domain/flow-files');
        const { loadFlowVersion } = await import('@waymark/domain/flows');
        const { definition } = await loadFlowVersion(manager, flow, version);
        const text = formatFlowFile(definition);
        session.printFile({ flow, version, file: text }, text.trimEnd());
      }),
    );
}
