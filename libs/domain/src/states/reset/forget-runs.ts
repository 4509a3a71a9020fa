import type { DataSource, EntityManager } from 'typeorm';
import { parseExpression, textsOf } from '../../targeting/index.js';

/** Stands where a condition named a user who was deleted; no condition reads like it. */
const FORGOTTEN = '(forgotten: it named a user who was deleted)';

/**
 * Takes a user out of the conditions of resets that name them, when the user is deleted (I6). A run
 * that was killed on its way is ended by it, as its users are no longer known.
 */
export async function forgetInRuns(
  manager: EntityManager,
  environmentId: string,
  identifier: string,
): Promise<void> {
  const runs = (await manager.query(
    'SELECT id, condition FROM reset_runs WHERE environment_id = $1 AND condition <> $2',
    [environmentId, FORGOTTEN],
  )) as { id: string; condition: string }[];
  const ids = runs.filter(({ condition }) => names(condition, identifier)).map(({ id }) => id);
  await manager.query(
    'UPDATE reset_runs SET finished_at = now() WHERE id = ANY ($1) AND finished_at IS NULL',
    [ids],
  );
  await manager.query('UPDATE reset_runs SET condition = $2 WHERE id = ANY ($1)', [ids, FORGOTTEN]);
}

/**
 * Deletes the runs of an environment that ended before that time, also killed ones: the events that
 * an undo would need are as old (E12). A run that a younger undo takes back stays.
 */
export async function pruneRuns(
  dataSource: DataSource,
  environmentId: string,
  before: Date,
): Promise<void> {
  const statement = `
    DELETE FROM reset_runs r WHERE environment_id = $1 AND updated_at < $2
      AND NOT EXISTS (SELECT 1 FROM reset_runs u WHERE u.undoes = r.id)`;
  // The last undo of a chain first: each refers to the one before it.
  for (let deleted = 1; deleted > 0;)
    [, deleted] = (await dataSource.query(statement, [environmentId, before])) as [unknown, number];
}

/**
 * Whether the name is in a condition by itself, not as a part of other words; in a pattern as it is
 * written there.
 */
function names(condition: string, identifier: string): boolean {
  return [condition, ...readTexts(condition)].some((text) => isWholeWord(text, identifier));
}

/** A condition from a former release, or one that was forgotten, may not be readable any more. */
function readTexts(condition: string): string[] {
  try {
    return textsOf(parseExpression(condition));
  } catch {
    return [];
  }
}

const WORD = /[\p{L}\p{N}]/u;

function isWholeWord(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const [before, after] = [text.charAt(at - 1), text.charAt(at + name.length)];
    if (!WORD.test(before) && !WORD.test(after)) return true;
  }
  return false;
}
