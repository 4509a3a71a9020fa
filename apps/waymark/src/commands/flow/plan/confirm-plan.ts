import type { FlowDefinition, MigrationStrategy } from '@waymark/domain/engine';
import type { Plan } from '@waymark/domain/analysis';
import { countUsers } from '../../../output/numbers.js';
import type { Session } from '../../../command-line/session.js';
import { describeUsers } from './describe-plan.js';

/** Users of each flow and environment that are looked at before a commit. */
const SAMPLE = 10_000;

/**
 * Shows what a commit does to users, from a sample in each environment, since it is live in all of
 * them; asks where it restarts or stops some (I3). Does nothing where the commit makes no version.
 */
export async function confirmPlan(
  session: Session,
  definitions: readonly FlowDefinition[],
  migration: MigrationStrategy,
): Promise<void> {
  const { planFlows } = await import('@waymark/domain/analysis');
  const { listEnvironments } = await import('@waymark/domain/access');
  const dataSource = await session.openOperatorDatabase();
  for (const { id, name } of await listEnvironments(dataSource)) {
    const plans = await planFlows(dataSource, id, {
      definitions,
      strategies: [migration],
      sample: SAMPLE,
    });
    for (const plan of plans) await confirmOne(session, plan, name);
  }
}

async function confirmOne(session: Session, plan: Plan, environment: string): Promise<void> {
  const { flow, version, differs, users, migration, pinned, releasesByPin } = plan;
  if (!differs) return;
  if (releasesByPin)
    return session.note(
      `${environment} releases by pin: nobody there gets version ${version} of ${flow} before \`waymark flow pin ${flow} --version ${version} --env ${environment}\``,
    );
  if (users.total === 0) return;
  if (pinned !== undefined)
    return session.note(
      `${environment} pins version ${pinned} of ${flow}: its users do not meet version ${version} now`,
    );
  session.note(
    [`${flow} version ${version}, ${migration}, in ${environment}`, ...describeUsers(plan)].join(
      '\n',
    ),
  );
  const among = plan.sampled ? ` of the first ${countUsers(plan.sampled.users)}` : '';
  const happens = consequences(users);
  if (happens.length > 0)
    await session.confirm(
      `In ${environment} this commit of ${flow} ${happens.join(', ')}${among}.`,
    );
}

function consequences({ restarted, stopped }: Plan['users']): string[] {
  return [
    ...(restarted > 0 ? [`restarts ${countUsers(restarted)}`] : []),
    ...(stopped > 0 ? [`stops ${countUsers(stopped)}`] : []),
  ];
}
