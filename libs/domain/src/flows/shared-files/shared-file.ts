import type { DataSource, EntityManager } from 'typeorm';
import { type Author, recordChange } from '../../database/audit/index.js';
import { DomainError } from '../../database/errors/index.js';
import type { ParsedFile } from '../../flow-files/index.js';
import { textHash } from '../versions/text-hash.js';

/** Names by what happens to them when another file is applied. */
export interface FileDifference {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** A file that all environments share: it is changed as a whole, and flows use what it names. */
export interface SharedFile<Content, Difference extends FileDifference = FileDifference> {
  /** How problems name it. */
  readonly file: string;
  /** What it has in it, in the plural. */
  readonly what: string;
  /** The command of `waymark` that changes it. */
  readonly command: string;
  parse(text: string, options: { file: string }): ParsedFile<Content>;
  format(content: Content): string;
  load(manager: EntityManager): Promise<Content>;
  /** Flows that are not archived, by the name that version 0 or their highest commit uses. */
  listFlows(manager: EntityManager): Promise<ReadonlyMap<string, readonly string[]>>;
  diff(manager: EntityManager, before: Content, after: Content): Promise<Difference>;
  /** Until the transaction ends, nobody else replaces the file. */
  lock(manager: EntityManager): Promise<void>;
  /** Stores the file in place of the other one. */
  replace(manager: EntityManager, content: Content): Promise<void>;
}

/** By it `if-match` decides whether the file is still the one that was read. */
export const hashSharedFile = <Content>(
  { format }: Pick<SharedFile<Content>, 'format'>,
  content: Content,
): string => textHash(format(content));

/**
 * Replaces the stored file. Throws what `diff` of the file throws, and `flow.changed` where the
 * file no longer has the hash of `ifMatch` (T6).
 */
export function applySharedFile<Content, Difference extends FileDifference>(
  dataSource: DataSource,
  file: SharedFile<Content, Difference>,
  content: Content,
  author: Author,
  { ifMatch }: { ifMatch?: string } = {},
): Promise<Difference> {
  const action = `${file.command}.apply`;
  return recordChange(dataSource, { action }, author, async (manager, notes) => {
    await file.lock(manager);
    const before = await file.load(manager);
    const present = hashSharedFile(file, before);
    if (ifMatch !== undefined && ifMatch !== present)
      throw new DomainError(
        'flow.changed',
        `the ${file.what} were changed since they were read: they are ${present} now; see \`waymark ${file.command} diff\``,
      );
    const difference = await file.diff(manager, before, content);
    await file.replace(manager, content);
    notes.result = difference;
    return difference;
  });
}

/** Names of a file by what happens to them. */
export function diffNames<Value>(
  before: ReadonlyMap<string, Value>,
  after: ReadonlyMap<string, Value>,
  isSame: (one: Value, other: Value) => boolean,
): FileDifference {
  const names = [...after.keys()];
  return {
    added: names.filter((name) => !before.has(name)),
    changed: names.filter(
      (name) => before.has(name) && !isSame(before.get(name)!, after.get(name)!),
    ),
    removed: [...before.keys()].filter((name) => !after.has(name)),
  };
}
