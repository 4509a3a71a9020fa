import type { Command } from '../../command-line/command.js';
import { CommandRefusal } from '../../refusal/command-refusal.js';
import { parseNumber } from '../../command-line/arguments.js';

export function addDiffCommand(flow: Command): void {
  flow
    .command('diff <flow>')
    .description('what changed between two versions, in words')
    .argument('[from]', 'the older version; the latest commit without it', parseNumber)
    .argument('[to]', 'the newer version; 0, the one being edited, without it', parseNumber, 0)
    .operation(async (session, flow: string, older: number | undefined, to: number) => {
      const { manager } = await session.openOperatorDatabase();
      const { diffFlows } = await import('@waymark/domain/flow-files');
      const { loadFlowVersion, loadLatestVersion } = await import('@waymark/domain/flows');
      const from = older ?? (await loadLatestVersion(manager, flow));
      if (from === null) throw new CommandRefusal(`${flow} was never committed, so there is no version to compare with`);
      const [before, after] = [await loadFlowVersion(manager, flow, from), await loadFlowVersion(manager, flow, to)];
      const differences = diffFlows(before.definition, after.definition);
      const text = differences.map(({ text }) => text).join('\n') || `versions ${from} and ${to} of ${flow} are the same`;
      session.print({ flow, from, to, differences }, text);
    });
}
