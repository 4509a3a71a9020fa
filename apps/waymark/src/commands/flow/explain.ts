import type { ExplainInput } from '@waymark/domain/impact';
import type { Command } from '../../command-line/command.js';
import { parseNumber } from '../../command-line/arguments.js';

export function addExplainCommand(flow: Command): void {
  flow
    .command('explain <flow> <user>')
    .description('why a user sees what they see of the flow, and why not')
    .option('--group <id>', 'the group that the application passes')
    .option('--version <number>', 'the version; the one that latest is without it', parseNumber)
    .operation(async (session, flow: string, user: string, options: Pick<ExplainInput, 'group' | 'version'>) => {
      const { explainUser } = await import('@waymark/domain/impact');
      const { dataSource, environmentId } = await session.openEnvironment();
      const explanation = await explainUser(dataSource, environmentId, { flow, user, ...options });
      session.print(explanation, [`${user} and ${flow}, in ${session.environment}`, ...explanation.reasons].join('\n- '));
    });
}
