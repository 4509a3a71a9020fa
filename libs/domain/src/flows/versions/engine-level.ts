import { type DataSource, Entity, type EntityManager, PrimaryColumn } from 'typeorm';
import { DomainError } from '../../database/errors/index.js';
import { type FlowDefinition, NEWEST_FORMAT } from '../../engine/index.js';

/** The newest format that all replicas of an installation can read; a table of one row (Z0). */
@Entity('engine_level')
export class EngineLevel {
  @PrimaryColumn('smallint')
  level: number;
}

export async function loadEngineLevel(manager: EntityManager): Promise<number> {
  const [row] = await manager.find(EngineLevel);
  return row?.level ?? 1;
}

/**
 * Raises the level once no replica of an older release runs; returns the level, and whether it was
 * lower.
 */
export async function raiseEngineLevel({
  manager,
}: DataSource): Promise<{ level: number; raised: boolean }> {
  const { affected } = await manager
    .createQueryBuilder()
    .update(EngineLevel)
    .set({ level: NEWEST_FORMAT })
    .where('level < :newest', { newest: NEWEST_FORMAT })
    .execute();
  return { level: await loadEngineLevel(manager), raised: affected === 1 };
}

/** What blocks-api calls its connections, so that replicas of other releases are told apart. */
export const BLOCKS_CONNECTIONS = `blocks-api, format ${NEWEST_FORMAT}`;

/**
 * How many connections to this database are of replicas of blocks-api that cannot read the newest
 * format, as far as PostgreSQL knows. Earlier releases do not name their format.
 */
export async function countOlderConnections({ manager }: DataSource): Promise<number> {
  const [row] = await manager.query<[{ count: number }]>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND (application_name = 'blocks-api'
       OR substring(application_name FROM '^blocks-api, format ([0-9]+)$')::int < $1)`,
    [NEWEST_FORMAT],
  );
  return row.count;
}

/**
 * Throws `definition.refused` for a flow that replicas of an older release, which may still run,
 * would refuse to serve.
 */
export async function refuseAboveLevel(
  manager: EntityManager,
  { flow, format }: FlowDefinition,
): Promise<void> {
  if (format === 1 || format <= (await loadEngineLevel(manager))) return;
  throw new DomainError(
    'definition.refused',
    `flow ${flow} uses what replicas of the release before this one cannot serve; once none of them runs, say \`waymark migrate finish\`, and then apply it again`,
  );
}
