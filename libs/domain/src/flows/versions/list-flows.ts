import type { EntityManager } from 'typeorm';

export interface ListedFlow {
  readonly flow: string;
  readonly name: string | null;
  /** Highest commit, null before the first. */
  readonly latest: number | null;
  readonly updatedAt: Date;
  readonly archived: boolean;
  /** Whether version 0 is something else than the last commit, or there is none yet. */
  readonly differs: boolean;
  /** When its highest commit, or its draft before the first, ends, as it is written there (Z8). */
  readonly end: string | null;
  /** What `latest` means in environments that pin it, by their names (S34). */
  readonly pins: Readonly<Record<string, number>>;
}

/** Every flow by identifier, archived ones too. */
export async function listFlows(manager: EntityManager): Promise<ListedFlow[]> {
  return (await manager.query(
    `SELECT f.flow, f.name, l.latest, f.updated_at AS "updatedAt", f.archived_at IS NOT NULL AS archived,
            d.definition IS DISTINCT FROM c.definition AS differs,
            coalesce(c.definition, d.definition) ->> 'end' AS end,
            coalesce((SELECT json_object_agg(e.name, p.version ORDER BY e.name)
                      FROM flow_pins p JOIN environments e ON e.id = p.environment_id WHERE p.flow = f.flow), '{}') AS pins
     FROM flows f
     JOIN (SELECT flow, nullif(max(version), 0) AS latest FROM flow_versions GROUP BY flow) l ON l.flow = f.flow
     JOIN flow_versions d ON d.flow = f.flow AND d.version = 0
     LEFT JOIN flow_versions c ON c.flow = f.flow AND c.version = l.latest ORDER BY f.flow`,
  )) as ListedFlow[];
}
