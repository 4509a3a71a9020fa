import type { Command } from '../../command-line/command.js';
import { parseNumber } from '../../command-line/arguments.js';

export function addExportCommand(flow: Command): void {
  flow
    .command('export <flow>')
    .description('a version as the file that was applied, comments and all; applying it changes nothing')
    .option('--version <number>', 'the version; 0, the one being edited, without it', parseNumber, 0)
    .operation(async (session, flow: string, { version }: { version: number }) => {
      const { manager } = await session.openOperatorDatabase();
      const { flowText, loadFlowVersion, textHash } = await import('@waymark/domain/flows');
      const text = flowText(await loadFlowVersion(manager, flow, version));
      session.printFile({ flow, version, file: text, hash: textHash(text) }, text.replace(/\n$/, ''));
    });
}
