import type { AttentionGroups } from '@waymark/domain/flow-files';
import type { EntityManager } from 'typeorm';
import type { Command } from '../command-line/command.js';
import type { Session } from '../command-line/session.js';
import { table } from '../output/table.js';
import { addSharedFileCommand } from './shared-file.js';

const loadFile = async () => (await import('@waymark/domain/flows')).ATTENTION_FILE;

export const addAttentionCommand = (program: Command): void =>
  addSharedFileCommand(program, {
    name: 'attention',
    description: 'groups of flows that take turns in starting by themselves (docs/flows.md)',
    what: 'groups',
    showDescription: 'the groups, their rules and the flows that name them',
    diffDescription: 'what applying the file would add, change and remove',
    load: loadFile,
    show: describeGroups,
    confirm: confirmRemoved,
  });

/** Flows of a group that is removed start without waiting for each other. */
async function confirmRemoved(
  session: Session,
  manager: EntityManager,
  groups: AttentionGroups,
): Promise<void> {
  const file = await loadFile();
  const { removed } = await file.diff(manager, await file.load(manager), groups);
  const flows = await file.listFlows(manager);
  const named = removed.filter((group) => flows.has(group));
  if (named.length === 0) return;
  const lost = named.map((group) => `${group} (${flows.get(group)!.join(', ')})`).join('; ');
  await session.confirm(`flows name groups that this removes, and will not wait any more: ${lost}`);
}

async function describeGroups(
  stored: AttentionGroups,
  flows: ReadonlyMap<string, readonly string[]>,
): Promise<[object, string]> {
  const { formatDuration } = await import('@waymark/domain/engine');
  const duration = (ms: number | undefined) => (ms === undefined ? null : formatDuration(ms));
  const names = new Set([...stored.keys(), ...flows.keys()]);
  const groups = [...names].map((group) => {
    const { atOnce = null, limit, pause, idle } = stored.get(group) ?? {};
    return {
      group,
      'at-once': atOnce,
      limit: limit ? { starts: limit.starts, per: formatDuration(limit.per) } : null,
      pause: duration(pause),
      idle: duration(idle),
      flows: flows.get(group) ?? [],
      known: stored.has(group),
    };
  });
  const rows = groups.map(({ limit, flows: named, known, ...one }) => ({
    ...one,
    limit: limit && `${limit.starts} per ${limit.per}`,
    flows: `${named.join(', ')}${known ? '' : ' (there is no such group: no limit)'}`,
  }));
  return [{ groups }, table(rows, 'there are no attention groups')];
}
