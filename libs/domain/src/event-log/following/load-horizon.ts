import type { EntityManager } from 'typeorm';

/** A transaction that has written, or may yet, and is still open: what comes after it waits to be told (E3). */
export interface OldestWriter {
  /** What it is called: `process 4711 (waymark) in database app`, or a prepared transaction. */
  readonly what: string;
  readonly seconds: number;
}

const OLDEST = `
  SELECT what, floor(extract(epoch FROM clock_timestamp() - since))::float8 AS seconds FROM (
    SELECT format('process %s (%s) in database %s', pid, coalesce(nullif(application_name, ''), 'no name'), datname) AS what,
      xact_start AS since, backend_xid AS transaction
    FROM pg_stat_activity WHERE backend_xid IS NOT NULL AND pid <> pg_backend_pid()
    UNION ALL
    SELECT format('prepared transaction %s in database %s', gid, database), prepared, transaction FROM pg_prepared_xacts
  ) open WHERE since IS NOT NULL ORDER BY age(transaction) DESC LIMIT 1`;

/** The writing transaction of any database of the server that holds followers back most; null where there is none (E3). */
export async function findOldestWriter(manager: EntityManager): Promise<OldestWriter | null> {
  const [row] = (await manager.query(OLDEST)) as OldestWriter[];
  return row ?? null;
}
