import type { DataSource, EntityManager } from 'typeorm';
import { Environment } from '../../access/environment/environment.js';
import { getEnvironment } from '../../access/environment/environments.js';
import { type Author, recordChange } from '../../database/audit/index.js';
import { raiseRevision } from '../../database/index.js';

/**
 * What `latest` means in every flow of an environment that has a commit and is not archived, unless
 * it is pinned already.
 */
const PIN_ALL = `
  INSERT INTO flow_pins (environment_id, flow, version)
  SELECT $1, f.flow, max(v.version) FROM flows f JOIN flow_versions v ON v.flow = f.flow AND v.version > 0
  WHERE f.archived_at IS NULL GROUP BY f.flow
  ON CONFLICT (environment_id, flow) DO NOTHING RETURNING flow`;

/**
 * Sets whether `latest` is only what is pinned in an environment (Z10); answers how many flows were
 * pinned for it. Switched on, every flow stays at what `latest` is there; switched off, the pins
 * stay. Services know it within a second. Throws `environment.unknown`.
 */
export async function setReleases(
  dataSource: DataSource,
  name: string,
  byPin: boolean,
  author: Author,
): Promise<{ pinned: number }> {
  const { id: environmentId } = await getEnvironment(dataSource, name);
  const act = { action: 'environment.releases', subject: name, environmentId };
  return recordChange(dataSource, act, author, async (manager, notes) => {
    // First: no commit ends between the pins and the end of this, so that nobody sees a version and
    // then a lower one.
    await raiseRevision(manager, 'flows');
    await manager.update(Environment, environmentId, { releasesByPin: byPin });
    const made = byPin ? ((await manager.query(PIN_ALL, [environmentId])) as unknown[]) : [];
    notes.result = { byPin, pinned: made.length };
    return { pinned: made.length };
  });
}

/**
 * Which version of a flow is released in environments where `latest` is only what is pinned, by
 * their names (Z10).
 */
export async function listReleased(
  manager: EntityManager,
  flow: string,
): Promise<Record<string, number>> {
  const rows = await manager.query<{ name: string; version: number }[]>(
    `SELECT e.name, p.version FROM flow_pins p JOIN environments e ON e.id = p.environment_id
     WHERE p.flow = $1 AND e.releases_by_pin ORDER BY 1`,
    [flow],
  );
  return Object.fromEntries(rows.map(({ name, version }) => [name, version]));
}
