import type { DataSource } from 'typeorm';

/** Whether there is anything that somebody would miss: a user or a flow. A database without the schema holds nothing. */
export async function holdsData(dataSource: DataSource): Promise<boolean> {
  const [table] = (await dataSource.query("SELECT to_regclass('users') IS NOT NULL AS exists")) as { exists: boolean }[];
  if (!table?.exists) return false;
  const [row] = (await dataSource.query('SELECT EXISTS (SELECT 1 FROM users) OR EXISTS (SELECT 1 FROM flows) AS data')) as {
    data: boolean;
  }[];
  return row?.data === true;
}
