/**
 * SQL for the properties of up to so many users or groups, as long as they are no more than so many
 * bytes: those with the lowest ids, which are hashes and so a fair choice (ADR 18), of all
 * environments.
 */
export const sampledProperties = (
  root: 'user' | 'group',
  { rows, bytes }: { rows: number; bytes: number },
  selected = 'properties',
): string => `
  SELECT ${selected} FROM (
    SELECT properties, sum(pg_column_size(properties)) OVER (ORDER BY ${root}_id) AS bytes
    FROM (SELECT ${root}_id, properties FROM ${root}s ORDER BY ${root}_id LIMIT ${rows}) lowest
  ) sized WHERE bytes <= ${bytes}`;
