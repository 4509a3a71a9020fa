import type { DataSource, EntityManager } from 'typeorm';
import { type Author, recordChange } from '../../database/audit/index.js';
import { DomainError } from '../../database/errors/index.js';
import { raiseRevision } from '../../database/index.js';
import { type AttentionGroups, formatAttentionFile } from '../../flow-files/index.js';
import { isSame } from '../../targeting/json/json.js';
import type { Json } from '../../targeting/json/json.js';
import { textHash } from '../draft/flow-text.js';
import { AttentionGroup } from './attention-group.js';

/** The groups that there are, in the order of the file that was applied. */
export async function listAttentionGroups(manager: EntityManager): Promise<AttentionGroups> {
  const rows = await manager.find(AttentionGroup, { order: { position: 'ASC' } });
  return new Map(rows.map(({ name, rules }) => [name, rules]));
}

/** By which `if-match` tells whether the groups are still those that were read. */
export const hashAttentionGroups = (groups: AttentionGroups): string =>
  textHash(formatAttentionFile(groups));

/** Groups by what becomes of them. */
export interface AttentionDifference {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

export function diffAttentionGroups(
  before: AttentionGroups,
  after: AttentionGroups,
): AttentionDifference {
  const names = [...after.keys()];
  const isOther = (name: string) =>
    !isSame(before.get(name) as unknown as Json, after.get(name) as unknown as Json);
  return {
    added: names.filter((name) => !before.has(name)),
    changed: names.filter((name) => before.has(name) && isOther(name)),
    removed: [...before.keys()].filter((name) => !after.has(name)),
  };
}

/**
 * Makes these the groups that there are (Q1). Services know it within a second; what happened to users in a group that is
 * removed is kept, should it come back. Throws `flow.changed` where the groups no longer have the hash of `ifMatch` (T6).
 */
export function applyAttentionGroups(
  dataSource: DataSource,
  groups: AttentionGroups,
  author: Author,
  { ifMatch }: { ifMatch?: string } = {},
): Promise<AttentionDifference> {
  return recordChange(dataSource, { action: 'attention.apply' }, author, async (manager, notes) => {
    // First, since its row is the lock that makes two calls take turns.
    await raiseRevision(manager, 'flows');
    const before = await listAttentionGroups(manager);
    const present = hashAttentionGroups(before);
    if (ifMatch !== undefined && ifMatch !== present)
      throw new DomainError(
        'flow.changed',
        `the attention groups were changed since they were read: they are ${present} now; see \`waymark attention diff\``,
      );
    const difference = diffAttentionGroups(before, groups);
    await manager.query('DELETE FROM attention_groups');
    await manager.insert(
      AttentionGroup,
      [...groups].map(([name, rules], position) => ({ name, rules, position })),
    );
    notes.result = difference;
    return difference;
  });
}

/** Flows that are not archived and name one of these groups in version 0 or their highest commit, by group. */
export async function listFlowsOfGroups(
  manager: EntityManager,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await manager.query<{ group: string; flow: string }[]>(
    `SELECT DISTINCT v.definition->'attention'->>'group' AS "group", v.flow
     FROM flow_versions v JOIN flows f ON f.flow = v.flow AND f.archived_at IS NULL
     WHERE v.definition ? 'attention'
       AND (v.version = 0 OR v.version = (SELECT max(h.version) FROM flow_versions h WHERE h.flow = v.flow))
     ORDER BY 1, 2`,
  );
  const flows = new Map<string, string[]>();
  for (const { group, flow } of rows) flows.set(group, [...(flows.get(group) ?? []), flow]);
  return flows;
}
