import type { Command } from '../../command-line/command.js';
import { parseNumber } from '../../command-line/arguments.js';

export function addRevertCommand(flow: Command): void {
  flow
    .command('revert <flow>')
    .description('make a committed version the draft again, as it was written; nothing is committed')
    .requiredOption('--to <number>', 'the version', parseNumber)
    .recorded('flow.revert', async (session, flow: string, { to }: { to: number }) => {
      const dataSource = await session.openOperatorDatabase();
      const { revertFlow } = await import('@waymark/domain/flows');
      const changed = await revertFlow(dataSource, flow, to, session.author);
      const next = `\`waymark flow commit ${flow} -m "back to version ${to}"\` makes it live`;
      const text = changed ? `${flow}: the draft is version ${to} again; ${next}` : `${flow}: the draft is version ${to} already`;
      session.print({ flow, version: to, changed }, text);
    });
}
