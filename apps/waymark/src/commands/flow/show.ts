import type { Block, FlowDefinition } from '@waymark/domain/engine';
import type { Command } from '../../command-line/command.js';
import { table } from '../../output/table.js';
import { parseNumber } from '../../command-line/arguments.js';

export function addShowCommand(flow: Command): void {
  flow
    .command('show <flow>')
    .description('a version with its blocks and paths')
    .option('--version <number>', 'the version; 0, the one being edited, without it', parseNumber, 0)
    .operation(async (session, flow: string, { version }: { version: number }) => {
      const { manager } = await session.openOperatorDatabase();
      const { loadFlowVersion, loadLatestVersion } = await import('@waymark/domain/flows');
      const { definition, message, migration, createdAt, updatedAt } = await loadFlowVersion(manager, flow, version);
      const latest = await loadLatestVersion(manager, flow);
      const about = { flow, version, latest, message, migration, createdAt, updatedAt };
      const heading = `${flow} version ${version} (latest commit: ${latest ?? 'none yet'})${message ? `: ${message}` : ''}`;
      session.print({ ...about, definition }, [heading, describeFlow(definition)].join('\n'));
    });
}

function describeFlow({ name, target, start, blocks }: FlowDefinition): string {
  const who = target.users === 'matching' ? `users for whom ${target.when}` : target.users;
  return [
    ...(name ? [`name: ${name}`] : []),
    `target: ${who}`,
    `start: ${start.join(', ')}`,
    table(blocks.flatMap(blockRows), 'it has no blocks'),
  ].join('\n');
}

function blockRows(block: Block) {
  const paths = block.paths.map(({ names, to }) => `${names.join(',')} → ${to}`).join('; ');
  const items =
    'items' in block ? block.items.map((item) => ({ block: `  ${item.id}`, type: item.type, uid: item.uid, paths: '' })) : [];
  return [{ block: block.id, type: block.type, uid: block.uid, paths }, ...items];
}
