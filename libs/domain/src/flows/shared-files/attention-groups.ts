import type { EntityManager } from 'typeorm';
import { raiseRevision } from '../../database/index.js';
import {
  type AttentionGroups,
  formatAttentionFile,
  parseAttentionFile,
} from '../../flow-files/index.js';
import { isSame, type Json } from '../../targeting/json/json.js';
import { AttentionGroup } from './attention-group.js';
import { diffNames, type SharedFile } from './shared-file.js';

/**
 * Groups of flows that take turns (Q1). Services know a change within a second; what happened to
 * users in a group that is removed is kept, should it come back.
 */
export const ATTENTION_FILE: SharedFile<AttentionGroups> = {
  file: 'attention.yaml',
  what: 'attention groups',
  command: 'attention',
  parse: parseAttentionFile,
  format: formatAttentionFile,
  load: listAttentionGroups,
  listFlows,
  diff: (_manager, before, after) =>
    Promise.resolve(
      diffNames(before, after, (one, other) =>
        isSame(one as unknown as Json, other as unknown as Json),
      ),
    ),
  // The row of the revision, which has to be raised anyway.
  lock: (manager) => raiseRevision(manager, 'flows'),
  async replace(manager, groups) {
    await manager.query('DELETE FROM attention_groups');
    await manager.insert(
      AttentionGroup,
      [...groups].map(([name, rules], position) => ({ name, rules, position })),
    );
  },
};

/** The present groups, in the order of the file that was applied. */
export async function listAttentionGroups(manager: EntityManager): Promise<AttentionGroups> {
  const rows = await manager.find(AttentionGroup, { order: { position: 'ASC' } });
  return new Map(rows.map(({ name, rules }) => [name, rules]));
}

async function listFlows(manager: EntityManager): Promise<ReadonlyMap<string, readonly string[]>> {
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
