import type { DataSource } from 'typeorm';

export interface ListedUser {
  identifier: string;
  createdAt: Date;
  updatedAt: Date;
}

/** Users of an environment by identifier, at most `limit`, those behind `after` when it is given: a page at a time. */
export async function listUsers(
  dataSource: DataSource,
  environmentId: string,
  { limit, after }: { limit: number; after?: string },
): Promise<ListedUser[]> {
  return (await dataSource.query(
    `SELECT identifier, created_at AS "createdAt", updated_at AS "updatedAt" FROM users
      WHERE environment_id = $1 AND ($2::text IS NULL OR identifier COLLATE "C" > $2) ORDER BY identifier COLLATE "C" LIMIT $3`,
    [environmentId, after ?? null, limit],
  )) as ListedUser[];
}
