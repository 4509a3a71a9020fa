import type { QueryRunner } from 'typeorm';
import { withBriefLock, withLockTimeout } from './brief-lock.js';

interface IndexShape {
  readonly name: string;
  readonly table: string;
  /** The text between the parentheses. */
  readonly columns: string;
  /** Which rows are in it; all without. */
  readonly where?: string;
}

/**
 * Builds an index without keeping writers away (R15), of each partition by itself where the table
 * is partitioned. What an attempt that was killed left behind is dropped first, and what is whole
 * already stays. Not inside a transaction.
 */
export async function createIndexConcurrently(
  runner: QueryRunner,
  { name, table, columns, where }: IndexShape,
): Promise<void> {
  const shape = where === undefined ? `(${columns})` : `(${columns}) WHERE ${where}`;
  const partitions = await loadPartitions(runner, table);
  if (partitions.length === 0) return buildOne(runner, name, table, shape);
  // Not valid until every partition has its part.
  if (!(await isThere(runner, name)))
    await withBriefLock(runner, `CREATE INDEX ${name} ON ONLY ${table} ${shape}`);
  for (const partition of partitions) {
    const part = `${partition}_${name}`;
    await buildOne(runner, part, partition, shape);
    if (!(await isAttached(runner, part)))
      await withBriefLock(runner, `ALTER INDEX ${name} ATTACH PARTITION ${part}`);
  }
}

/** It may wait for what was under way before it, since no request queues behind it. */
const buildOne = (runner: QueryRunner, name: string, table: string, shape: string): Promise<void> =>
  withLockTimeout(runner, 0, async () => {
    if ((await isThere(runner, name)) && !(await isValid(runner, name)))
      await runner.query(`DROP INDEX CONCURRENTLY ${name}`);
    await runner.query(`CREATE INDEX CONCURRENTLY IF NOT EXISTS ${name} ON ${table} ${shape}`);
  });

async function loadPartitions(runner: QueryRunner, table: string): Promise<string[]> {
  const rows = (await runner.query(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = '${table}'::regclass ORDER BY 1`,
  )) as { name: string }[];
  return rows.map(({ name }) => name);
}

const isThere = (runner: QueryRunner, index: string): Promise<boolean> =>
  ask(runner, `SELECT to_regclass('${index}') IS NOT NULL AS yes`);

const isValid = (runner: QueryRunner, index: string): Promise<boolean> =>
  ask(runner, `SELECT indisvalid AS yes FROM pg_index WHERE indexrelid = '${index}'::regclass`);

const isAttached = (runner: QueryRunner, index: string): Promise<boolean> =>
  ask(
    runner,
    `SELECT EXISTS (SELECT 1 FROM pg_inherits WHERE inhrelid = '${index}'::regclass) AS yes`,
  );

async function ask(runner: QueryRunner, question: string): Promise<boolean> {
  const [row] = (await runner.query(question)) as { yes: boolean }[];
  return row?.yes === true;
}
