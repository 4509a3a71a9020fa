import { Option } from 'commander';
import type { Plan } from '@waymark/domain/analysis';
import type { FlowDefinition, MigrationStrategy } from '@waymark/domain/engine';
import type { Command } from '../../../command-line/command.js';
import { parseLimit } from '../../../command-line/arguments.js';
import { Progress } from '../../../output/progress.js';
import type { Session } from '../../../command-line/session.js';
import { CommandRefusal } from '../../../refusal/command-refusal.js';
import {
  describePlan,
  FORBIDDEN,
  type Forbidden,
  parseForbidden,
  touched,
} from './describe-plan.js';
import { readStoredFlowFiles, refuseProblems } from '../files/read-flow-files.js';

interface PlanArguments {
  migration: MigrationStrategy | 'all';
  entries?: boolean;
  sample?: number;
  examples?: number;
  forbid: readonly Forbidden[];
}

/**
 * What a commit may do to users with state in an older version; here too, so that the help need not
 * load the engine (S28).
 */
export const STRATEGIES: readonly MigrationStrategy[] = [
  'carry-over',
  'restart-in-progress',
  'restart-all',
  'stop-in-progress',
];

export function addPlanCommand(flow: Command): void {
  flow
    .command('plan <files...>')
    .description('what committing these files would do to users; nothing is written')
    .addOption(
      new Option('--migration <strategy>', 'how users with state in an older version meet it')
        .choices([...STRATEGIES, 'all'])
        .default('carry-over'),
    )
    .option(
      '--entries',
      'look at every user: who would enter the next time the application asks, and who no longer would',
    )
    .option('--sample <number>', 'look at that many users of each flow at most', parseLimit)
    .option('--examples <number>', 'name that many users for each thing that happens', parseLimit)
    .option(
      '--forbid <kinds>',
      `exit 1 if anybody would be touched so: ${FORBIDDEN.join(', ')}`,
      parseForbidden,
      [],
    )
    .operation(async (session, names: string[], { migration, forbid, ...input }: PlanArguments) => {
      const strategies = migration === 'all' ? STRATEGIES : [migration];
      const definitions = await readDefinitions(session, names);
      const plans = await loadPlans(session, { definitions, strategies, ...input });
      const document = {
        plans: plans.map((plan) => ({ ...plan, environment: session.environment })),
      };
      const text = plans.map((plan) => describePlan(plan, session.environment)).join('\n\n');
      refuseForbidden(session, plans, forbid, document, text);
      session.print(document, text);
    });
}

/** Definitions as applying the files would store them. */
async function readDefinitions(
  session: Session,
  names: readonly string[],
): Promise<FlowDefinition[]> {
  const { manager } = await session.openOperatorDatabase();
  const files = await readStoredFlowFiles(manager, names);
  await refuseProblems(session, files, ', nothing was planned');
  const { assignDraftUids } = await import('@waymark/domain/flows');
  const drafts = files.flatMap(({ draft }) => draft ?? []);
  const definitions: FlowDefinition[] = [];
  for (const draft of drafts) definitions.push(await assignDraftUids(manager, draft));
  return definitions;
}

/** The plans of the session's environment, with progress. */
async function loadPlans(
  session: Session,
  input: Parameters<typeof import('@waymark/domain/analysis').planFlows>[2],
) {
  const { planFlows } = await import('@waymark/domain/analysis');
  const { dataSource, environmentId } = await session.openEnvironment();
  const progress = new Progress(session, 'users');
  const onProgress = (flow: string, done: number, share: number) =>
    progress.show({ done, share, more: flow });
  return progress.during(planFlows(dataSource, environmentId, input, { onProgress }));
}

/**
 * Ends with one sentence that says how many users would be touched in a way that was forbidden
 * (I3).
 */
function refuseForbidden(
  session: Session,
  plans: readonly Plan[],
  forbid: readonly Forbidden[],
  document: object,
  text: string,
): void {
  const sentences = plans.flatMap((plan) => touched(plan, forbid));
  if (sentences.length === 0) return;
  session.note(text);
  throw new CommandRefusal(`forbidden: ${sentences.join('; ')}`, {
    document: { ...document, forbidden: sentences },
  });
}
