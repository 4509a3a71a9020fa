import type { AttentionDifference } from '@waymark/domain/flows';
import type { EntityManager } from 'typeorm';
import type { Command } from '../command-line/command.js';
import type { Session } from '../command-line/session.js';
import { table } from '../output/table.js';
import { readAttentionGroups } from './flow/files/read-attention-groups.js';

export function addAttentionCommand(program: Command): void {
  const attention = program
    .command('attention')
    .description('groups of flows that take turns in starting by themselves (docs/flows.md)');
  addApplyCommand(attention);
  attention
    .command('show')
    .description('the groups, their rules and the flows that name them')
    .operation(async (session) => {
      const { manager } = await session.openOperatorDatabase();
      const { hash, groups, rows } = await describeGroups(manager);
      session.print({ hash, groups }, table(rows, 'there are no attention groups'));
    });
  attention
    .command('diff <file>')
    .description('what applying the file would add, change and remove')
    .operation(async (session, file: string) => {
      const { diffAttentionGroups, listAttentionGroups } = await import('@waymark/domain/flows');
      const groups = await readAttentionGroups(session, file);
      const { manager } = await session.openOperatorDatabase();
      const difference = diffAttentionGroups(await listAttentionGroups(manager), groups);
      session.print(difference, inWords(difference) || 'no differences');
    });
  attention
    .command('export')
    .description('the groups as a file that can be applied')
    .operation(async (session) => {
      const { hashAttentionGroups, listAttentionGroups } = await import('@waymark/domain/flows');
      const { formatAttentionFile } = await import('@waymark/domain/flow-files');
      const { manager } = await session.openOperatorDatabase();
      const groups = await listAttentionGroups(manager);
      const text = formatAttentionFile(groups);
      session.printFile({ text, hash: hashAttentionGroups(groups) }, text.trimEnd());
    });
}

function addApplyCommand(attention: Command): void {
  attention
    .command('apply <file>')
    .description('make the groups of the file those that there are, in all environments')
    .option(
      '--if-match <hash>',
      'only if the groups are still those with this hash, as `attention show --json` tells it',
    )
    .recorded(
      'attention.apply',
      async (session, file: string, { ifMatch }: { ifMatch?: string }) => {
        const { applyAttentionGroups, diffAttentionGroups, listAttentionGroups } =
          await import('@waymark/domain/flows');
        const groups = await readAttentionGroups(session, file);
        const dataSource = await session.openOperatorDatabase();
        const before = await listAttentionGroups(dataSource.manager);
        const { removed } = diffAttentionGroups(before, groups);
        await confirmRemoved(session, dataSource.manager, removed);
        const done = await applyAttentionGroups(dataSource, groups, session.author, {
          ...(ifMatch !== undefined && { ifMatch }),
        });
        session.print(done, inWords(done) || 'nothing differs from the groups that there are');
      },
    );
}

/** Flows of a group that is removed start without waiting for each other. */
async function confirmRemoved(
  session: Session,
  manager: EntityManager,
  removed: readonly string[],
): Promise<void> {
  const { listFlowsOfGroups } = await import('@waymark/domain/flows');
  const flows = await listFlowsOfGroups(manager);
  const named = removed.filter((group) => flows.has(group));
  if (named.length === 0) return;
  const told = named.map((group) => `${group} (${flows.get(group)!.join(', ')})`).join('; ');
  await session.confirm(`flows name groups that this removes, and will not wait any more: ${told}`);
}

async function describeGroups(manager: EntityManager) {
  const { hashAttentionGroups, listAttentionGroups, listFlowsOfGroups } =
    await import('@waymark/domain/flows');
  const { formatDuration } = await import('@waymark/domain/flow-files');
  const stored = await listAttentionGroups(manager);
  const flows = await listFlowsOfGroups(manager);
  const unknown = [...flows.keys()].filter((group) => !stored.has(group));
  const duration = (ms: number | undefined) => (ms === undefined ? null : formatDuration(ms));
  const groups = [...stored].map(([group, { atOnce = null, limit, pause, idle }]) => ({
    group,
    'at-once': atOnce,
    limit: limit ? { starts: limit.starts, per: formatDuration(limit.per) } : null,
    pause: duration(pause),
    idle: duration(idle),
    flows: flows.get(group) ?? [],
    known: true,
  }));
  const missing = unknown.map((group) => ({
    group,
    'at-once': null,
    limit: null,
    pause: null,
    idle: null,
    flows: flows.get(group)!,
    known: false,
  }));
  const all = [...groups, ...missing];
  const rows = all.map(({ limit, flows: named, known, ...one }) => ({
    ...one,
    limit: limit && `${limit.starts} per ${limit.per}`,
    flows: `${named.join(', ')}${known ? '' : ' (there is no such group: no limit)'}`,
  }));
  return { hash: hashAttentionGroups(stored), groups: all, rows };
}

const inWords = (difference: AttentionDifference): string =>
  (['added', 'changed', 'removed'] as const)
    .filter((what) => difference[what].length > 0)
    .map((what) => `${what}: ${difference[what].join(', ')}`)
    .join('\n');
