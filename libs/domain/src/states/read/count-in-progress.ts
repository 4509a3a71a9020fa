import type { DataSource } from 'typeorm';

const LONGEST_MS = 5_000;
const CANCELED = '57014';

const COUNT = `
  SELECT flow, count(*)::int AS users FROM (
    SELECT DISTINCT ON (s.user_id, s.flow) s.flow, s.state
      FROM flow_states s JOIN users u ON u.user_id = s.user_id
     WHERE u.environment_id = $1 AND s.version > 0
     ORDER BY s.user_id, s.flow, s.version DESC) newest
   WHERE state @> '{"started": true, "stopped": false, "finished": false}' GROUP BY flow`;

/**
 * How many users of an environment are in progress in each flow, by the newest version that they
 * met; flows without any are left out. Reads every state, so null where that takes longer than five
 * seconds.
 */
export async function countInProgress(
  dataSource: DataSource,
  environmentId: string,
): Promise<ReadonlyMap<string, number> | null> {
  try {
    return await dataSource.transaction(async (manager) => {
      await manager.query(`SET LOCAL statement_timeout = ${LONGEST_MS}`);
      const rows = (await manager.query(COUNT, [environmentId])) as {
        flow: string;
        users: number;
      }[];
      return new Map(rows.map(({ flow, users }) => [flow, users]));
    });
  } catch (error) {
    if ((error as { code?: unknown }).code === CANCELED) return null;
    throw error;
  }
}
