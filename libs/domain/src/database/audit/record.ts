import { randomUUID } from 'node:crypto';
import type { DataSource, EntityManager } from 'typeorm';
import { DomainError } from '../errors/index.js';
import { AuditEntry, type AuditResult, type Author, checkAuthor } from './audit-entry.js';

/**
 * What is done, as far as it is known before it is done. Neither here nor in the result may there
 * be values of properties, conditions, headers or keys, and users are named by their `userId` alone
 * (I7).
 */
interface Act {
  /** `noun.verb`, such as `flow.commit`; at most 64 characters. */
  readonly action: string;
  readonly subject?: string;
  readonly userId?: string;
  /** Left out where all environments are concerned. */
  readonly environmentId?: string;
}

/** Details of a change that are known only once it is done. */
export interface Notes {
  subject?: string;
  environmentId?: string;
  /** The result, such as `{ version: 4 }`. */
  result: object;
}

/**
 * Makes a change in one transaction, together with its row in the audit log. A change that throws
 * is taken back and leaves a row that says so. Throws what the change throws, and `request.invalid`
 * for an author that the log cannot keep.
 */
export async function recordChange<Done>(
  dataSource: DataSource,
  act: Act,
  author: Author,
  change: (manager: EntityManager, notes: Notes) => Promise<Done>,
): Promise<Done> {
  const entry = open(act, author);
  const notes: Notes = { result: {} };
  try {
    return await dataSource.transaction(async (manager) => {
      const done = await change(manager, notes);
      await write(manager, entry, notes, { outcome: 'done' });
      return done;
    });
  } catch (error) {
    await writeFailure(dataSource, entry, { ...notes, result: {} }, error);
    throw error;
  }
}

/**
 * Does work that takes many transactions, or one that has to be alone: its row in the audit log is
 * written first, and its result is filled in at the end. The row of a process that is killed before
 * that stays `begun`. Throws as `recordChange` does.
 */
export async function recordWork<Done>(
  dataSource: DataSource,
  act: Act,
  author: Author,
  work: (notes: Notes) => Promise<Done>,
): Promise<Done> {
  const entry = open(act, author);
  const notes: Notes = { result: {} };
  await write(dataSource.manager, entry, notes, { outcome: 'begun' });
  try {
    const done = await work(notes);
    await write(dataSource.manager, entry, notes, { outcome: 'done' });
    return done;
  } catch (error) {
    await writeFailure(dataSource, entry, notes, error);
    throw error;
  }
}

/**
 * Leaves a row for a change that was refused before it began, which an operator tried as much as
 * one that was refused later. Nothing where this very author's change has begun, since that leaves
 * its own. Throws nothing: the error of the change is the one to report.
 */
export async function recordRefusal(
  dataSource: DataSource,
  act: Act,
  author: Author,
  error: unknown,
): Promise<void> {
  if (begun.has(author)) return;
  try {
    await writeFailure(dataSource, open(act, author), { result: {} }, error);
  } catch {
    // An author that the log cannot keep is what the change was refused for.
  }
}

/** Whose changes have begun, so that they leave rows of their own. */
const begun = new WeakSet<Author>();

type OpenEntry = Act & Author & { id: string };

function open(act: Act, author: Author): OpenEntry {
  checkAuthor(author);
  begun.add(author);
  const { by, reason, client } = author;
  return { ...act, by, reason, client, id: randomUUID() };
}

/**
 * Once more under the same id where there is a row already: the answer of its commit may have been
 * lost.
 */
async function write(
  manager: EntityManager,
  entry: OpenEntry,
  notes: Notes,
  end: AuditResult,
): Promise<void> {
  const { id, by, action, userId = null, reason = null, client } = entry;
  const subject = notes.subject ?? entry.subject ?? null;
  const environmentId = notes.environmentId ?? entry.environmentId ?? null;
  const result = { ...end, ...(client !== undefined && { client }), ...notes.result };
  await manager.upsert(
    AuditEntry,
    { id, by, action, subject, userId, environmentId, reason, result },
    ['id'],
  );
}

/** If this fails too, the error of the change is the one to report. */
async function writeFailure(
  dataSource: DataSource,
  entry: OpenEntry,
  notes: Notes,
  error: unknown,
): Promise<void> {
  await write(dataSource.manager, entry, notes, endOf(error)).catch(() => undefined);
}

/** The code of an error and never its sentence, which may quote anything from the request. */
function endOf(error: unknown): AuditResult & { code?: string } {
  if (error instanceof DomainError) return { outcome: 'refused', code: error.code };
  return { outcome: (error as Error | null)?.name === 'AbortError' ? 'stopped' : 'failed' };
}
