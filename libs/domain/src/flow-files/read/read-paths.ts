import { transitionNames, type BlockType } from '../../engine/index.js';
import type { Entry, FileNode } from '../source/file-node.js';
import { listOf, quote } from '../source/wording.js';
import type { BlockTargets } from '../keys/targets-by-names.js';

interface WrittenPath {
  names: string[];
  targets: string[];
}

/**
 * Paths of a block in the order of the file, one for each target (S1). Names of several are
 * separated by commas.
 */
export function readPaths(
  parts: ReadonlyMap<string, FileNode>,
  type: BlockType,
  ids: ReadonlySet<string>,
): BlockTargets {
  const next = parts.get('next');
  const paths = parts.get('paths');
  if (next && paths)
    paths.reportKey(
      'key.unknown',
      'next and paths cannot stand together; write the targets under next',
    );
  if (next) return { paths: readTargets(next, ids).map((to) => ({ names: ['default'], to })) };
  const seen = new Set<string>();
  const entries = paths?.entries('paths as a map of names to targets') ?? [];
  const written = entries.map((entry) => readPath(entry, type, ids, seen));
  return {
    paths: written.flatMap(({ names, targets }) => targets.map((to) => ({ names, to }))),
    ...(type === 'custom' && namesOf(written)),
  };
}

/**
 * A name without a target exits the block and leads nowhere (F1); where there is none, the paths
 * name all.
 */
function namesOf(written: readonly WrittenPath[]): { names?: string[] } {
  const pathed = new Set(
    written.flatMap(({ names, targets }) => (targets.length > 0 ? names : [])),
  );
  const names = new Set(
    written.flatMap((path) =>
      path.names.filter((name) => path.targets.length > 0 || !pathed.has(name)),
    ),
  );
  return names.size > pathed.size ? { names: [...names] } : {};
}

function readPath(
  { key, value }: Entry,
  type: BlockType,
  ids: ReadonlySet<string>,
  seen: Set<string>,
): WrittenPath {
  const names = pathNames(key);
  if (new Set(names).size < names.length)
    value.reportKey('path.repeated-name', `a name stands twice in ${quote(key)}`);
  if (seen.has(names.join()))
    value.reportKey('file.duplicate-key', `${quote(names.join())} is written twice here; keep one`);
  seen.add(names.join());
  const targets = readTargets(value, ids);
  if (targets.length === 0) checkUnusedNames(names, type, value);
  return { names, targets };
}

/** `"answered, skipped"` as its names. */
export function pathNames(key: string): string[] {
  return key.split(',').map((name) => name.trim());
}

/** Without a target it is no path (F1), so nobody else would notice a mistyped name. */
function checkUnusedNames(names: readonly string[], type: BlockType, node: FileNode): void {
  if (type === 'custom') return;
  const valid = transitionNames({ type });
  const unknown = names.find((name) => !valid.includes(name));
  if (unknown !== undefined)
    node.reportKey(
      'path.unknown-name',
      `a ${type} has no path ${quote(unknown)}; it has ${listOf(valid)}`,
    );
}

/**
 * A target, a list of targets, or nothing. `ids` distinguishes a block named `null` from nothing.
 */
export function readTargets(node: FileNode, ids: ReadonlySet<string>): string[] {
  if (isNothing(node, ids)) return [];
  const targets = node.isList() ? node.elements() : [node];
  return targets.flatMap((target) => readTarget(target, ids) ?? []);
}

function readTarget(target: FileNode, ids: ReadonlySet<string>): string | undefined {
  const text = target.written();
  if (text !== undefined && !isNothing(target, ids)) return text;
  target.report(
    'value.not-text',
    `a target is the identifier of a block or finish, not ${target.describe()}`,
  );
  return undefined;
}

/** Whether no target is written; a block may be named `null`. */
export function isNothing(node: FileNode, ids: ReadonlySet<string>): boolean {
  return node.isNull() && !ids.has(node.written() ?? '');
}
