import type { Block, FlowDefinition } from '@waymark/domain/engine';
import type { ExplainQuery } from '@waymark/domain/analysis';
import type { Command } from '../../command-line/command.js';
import { table } from '../../output/table.js';
import { parseNumber } from '../../command-line/arguments.js';

export function addShowCommand(flow: Command): void {
  flow
    .command('show <flow>')
    .description('a version with its blocks and paths')
    .option(
      '--version <number>',
      'the version; 0, the one being edited, without it',
      parseNumber,
      0,
    )
    .operation(async (session, flow: string, { version }: { version: number }) => {
      const { manager } = await session.openOperatorDatabase();
      const { loadFlowVersion, loadLatestVersion } = await import('@waymark/domain/flows');
      const { describeDates } = await import('@waymark/domain/engine');
      const { definition, message, migration, createdAt, updatedAt } = await loadFlowVersion(
        manager,
        flow,
        version,
      );
      const latest = await loadLatestVersion(manager, flow);
      const about = { flow, version, latest, message, migration, createdAt, updatedAt };
      const heading = `${flow} version ${version} (latest commit: ${latest ?? 'none yet'})${message ? `: ${message}` : ''}`;
      session.print(
        { ...about, definition },
        [heading, describeFlow(definition, describeDates(definition))].join('\n'),
      );
    });
}

function describeFlow(flow: FlowDefinition, dates: readonly string[]): string {
  const { name, target, goal, start, blocks } = flow;
  const who = target.users === 'matching' ? `users for whom ${target.when}` : target.users;
  return [
    ...(name ? [`name: ${name}`] : []),
    `target: ${[who, ...dates].join(', ')}`,
    ...(goal === undefined ? [] : [`goal: ${goal}`]),
    `start: ${start.join(', ')}`,
    table(blocks.flatMap(blockRows), 'it has no blocks'),
  ].join('\n');
}

function blockRows(block: Block) {
  const paths = block.paths.map(({ names, to }) => `${names.join(',')} → ${to}`).join('; ');
  const items =
    'items' in block
      ? block.items.map((item) => ({
          block: `  ${item.id}`,
          type: item.type,
          uid: item.uid,
          paths: '',
        }))
      : [];
  return [{ block: block.id, type: block.type, uid: block.uid, paths }, ...items];
}

export function addExplainCommand(flow: Command): void {
  flow
    .command('explain <flow> <user>')
    .description('why a user sees what they see of the flow, and why not')
    .option('--group <id>', 'the group that the application passes')
    .option('--version <number>', 'the version; the one that latest is without it', parseNumber)
    .option('--no-values', 'leave the values of properties out')
    .operation(
      async (
        session,
        flow: string,
        user: string,
        options: Pick<ExplainQuery, 'group' | 'version' | 'values'>,
      ) => {
        const { explainUser } = await import('@waymark/domain/analysis');
        const { dataSource, environmentId } = await session.openEnvironment();
        const explanation = await explainUser(dataSource, environmentId, {
          flow,
          user,
          ...options,
        });
        session.print(
          explanation,
          [`${user} and ${flow}, in ${session.environment}`, ...explanation.reasons].join('\n- '),
        );
      },
    );
}
