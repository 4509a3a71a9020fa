import type { EntityManager } from 'typeorm';

export interface ListedFlow {
  readonly flow: string;
  readonly name: string | null;
  /** Highest commit, null before the first. */
  readonly latest: number | null;
  readonly updatedAt: Date;
  readonly archived: boolean;
}

/** Every flow by identifier, archived ones too. */
export async function listFlows(manager: EntityManager): Promise<ListedFlow[]> {
  return (await manager.query(
    `SELECT f.flow, f.name, nullif(max(v.version), 0) AS latest, f.updated_at AS "updatedAt", f.archived_at IS NOT NULL AS archived
     FROM flows f JOIN flow_versions v ON v.flow = f.flow GROUP BY f.flow ORDER BY f.flow`,
  )) as ListedFlow[];
}
