import pgQuery from 'libpg-query';
import { plannedParts } from './planned-parts.js';
import { refusedReads } from './refused-reads.js';
import { refusedSchema } from './refused-schema.js';
import { refusedWrites } from './refused-writes.js';
import { nodesIn, STATEMENTS } from './sql-tree.js';

/**
 * What Citus would refuse in a statement on distributed tables (G3), as sentences; empty if it takes
 * the statement. The rules were learned on a cluster. Covers reads and writes of rows, and changes
 * to the schema (G2).
 */
export async function findRefusals(text: string): Promise<string[]> {
  const { stmts = [] } = await pgQuery.parse(text);
  return stmts.flatMap(({ stmt }) => {
    const isLookedAt = [...nodesIn(stmt)].some(
      ({ kind }, index) => index === 0 && STATEMENTS.includes(kind),
    );
    if (!isLookedAt) return refusedSchema(stmt);
    const found = plannedParts(stmt).flatMap((part) => [
      ...refusedWrites(part),
      ...refusedReads(part),
    ]);
    return [...new Set(found)];
  });
}

/**
 * The same for statements that differ in their constants and the names of their parameters only.
 */
export const fingerprint = (text: string): Promise<string> => pgQuery.fingerprint(text);
