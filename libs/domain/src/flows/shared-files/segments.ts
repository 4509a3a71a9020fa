import type { EntityManager } from 'typeorm';
import { raiseRevision } from '../../database/index.js';
import type { FlowDefinition } from '../../engine/index.js';
import { formatSegmentsFile, parseSegmentsFile } from '../../flow-files/index.js';
import type { SegmentTexts } from '../../targeting/index.js';
import { isSame } from '../../targeting/json/json.js';
import { loadSegments, Segment, withTexts } from './segment.js';
import { diffNames, type FileDifference, type SharedFile } from './shared-file.js';

export interface SegmentDifference extends FileDifference {
  /** Flows whose next commit would have other texts of segments than their highest one. */
  readonly flows: readonly string[];
}

/**
 * Conditions with names (Z6). A file that is applied changes the drafts at once; commits keep the
 * texts that they were made with. `diff` throws `definition.refused` where a draft mentions a
 * segment that is removed, or could not be read with it.
 */
export const SEGMENTS_FILE: SharedFile<SegmentTexts, SegmentDifference> = {
  file: 'segments.yaml',
  what: 'segments',
  command: 'segment',
  parse: parseSegmentsFile,
  format: formatSegmentsFile,
  load: loadSegments,
  async listFlows(manager) {
    const flows = new Map<string, string[]>();
    for (const { draft, committed } of await loadUses(manager))
      for (const name of Object.keys({ ...committed, ...draft.segments }))
        flows.set(name, [...(flows.get(name) ?? []), draft.flow]);
    return flows;
  },
  async diff(manager, before, after) {
    const uses = await loadUses(manager);
    const changed = uses.filter(
      ({ draft, committed }) =>
        committed && !isSame(withTexts(draft, after).segments ?? {}, committed),
    );
    return {
      ...diffNames(new Map(Object.entries(before)), new Map(Object.entries(after)), isSame),
      flows: changed.map(({ draft }) => draft.flow),
    };
  },
  async lock(manager) {
    // Flows that are applied at the same time wait, or are waited for.
    await manager.query('LOCK TABLE segments IN SHARE ROW EXCLUSIVE MODE');
  },
  async replace(manager, segments) {
    await manager.query('DELETE FROM segments');
    await manager.insert(
      Segment,
      Object.entries(segments).map(([name, text], position) => ({ name, text, position })),
    );
    await changeDrafts(manager, segments);
  },
};

/** A flow that mentions segments. */
interface Use {
  readonly draft: FlowDefinition;
  /** What its highest commit keeps of segments; null before the first. */
  readonly committed: SegmentTexts | null;
}

const loadUses = (manager: EntityManager): Promise<Use[]> =>
  manager.query<Use[]>(
    `SELECT d.definition AS draft, c.segments AS committed
     FROM flows f JOIN flow_versions d ON d.flow = f.flow AND d.version = 0
     LEFT JOIN LATERAL (
       SELECT coalesce(v.definition->'segments', '{}') AS segments FROM flow_versions v
       WHERE v.flow = f.flow AND v.version > 0 ORDER BY v.version DESC LIMIT 1
     ) c ON true
     WHERE f.archived_at IS NULL AND (d.definition ? 'segments' OR c.segments <> '{}')
     ORDER BY f.flow`,
  );

async function changeDrafts(manager: EntityManager, segments: SegmentTexts): Promise<void> {
  const changed = (await loadUses(manager))
    .map(({ draft }) => ({ before: draft, after: withTexts(draft, segments) }))
    .filter(({ before, after }) => !isSame(before.segments ?? {}, after.segments ?? {}));
  for (const { after } of changed)
    await manager.query(
      `UPDATE flow_versions SET definition = $2, edition = edition + 1, updated_at = now()
       WHERE flow = $1 AND version = 0`,
      [after.flow, JSON.stringify(after)],
    );
  if (changed.length > 0) await raiseRevision(manager, 'flows');
}
