import type { Database } from '../../database/database.js';
import { defineStatement } from '../../database/statement.js';

/**
 * What may change of a flow without a new version: small enough to hold for every flow of the
 * installation.
 */
export interface FlowHead {
  readonly archived: boolean;
  /** Highest commit; null before the first (S26). */
  readonly latest: number | null;
  /** Edition of version 0 (S27). */
  readonly edition: number;
  /** What `latest` means in environments that pin it, by their ids (S34). */
  readonly pins: Readonly<Record<string, number>>;
  /**
   * When each version was made: after the database was restored a number may mean another version
   * than before.
   */
  readonly madeAt: Readonly<Record<number, number>>;
}

const LOAD_HEADS = defineStatement(
  'load_flow_heads',
  `SELECT f.flow, f.archived_at IS NOT NULL AS archived, nullif(max(v.version), 0) AS latest,
          max(v.edition) FILTER (WHERE v.version = 0) AS edition,
          coalesce((SELECT json_object_agg(p.environment_id, p.version) FROM flow_pins p WHERE p.flow = f.flow), '{}') AS pins,
          jsonb_object_agg(v.version, extract(epoch FROM CASE v.version WHEN 0 THEN v.updated_at ELSE v.created_at END))
            AS "madeAt"
   FROM flows f JOIN flow_versions v ON v.flow = f.flow GROUP BY f.flow`,
);

/** Every flow of the installation by identifier. */
export async function loadFlowHeads(database: Database): Promise<ReadonlyMap<string, FlowHead>> {
  const rows = await database.run<FlowHead & { flow: string }>(LOAD_HEADS, []);
  return new Map(rows.map(({ flow, ...head }) => [flow, head]));
}

const LOAD_RELEASING = defineStatement(
  'load_releasing_environments',
  'SELECT id FROM environments WHERE releases_by_pin',
);

/** Environments where `latest` is only what is pinned, by their ids (Z10). */
export async function loadReleasing(database: Database): Promise<ReadonlySet<string>> {
  const rows = await database.run<{ id: string }>(LOAD_RELEASING, []);
  return new Set(rows.map(({ id }) => id));
}
