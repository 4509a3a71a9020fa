import {
  HIGHEST_SHARE,
  type Path,
  SPLIT_SUBJECTS,
  type SplitDraft,
  type SplitSubject,
  type Way,
} from '../../engine/index.js';
import type { Entry, FileNode } from '../source/file-node.js';
import { listOf, quote } from '../source/wording.js';
import { readTargets } from './read-paths.js';

/** Keys of one path of a split. */
const WAY_KEYS = ['share', 'to'] as const;

type Split = Pick<SplitDraft, 'by' | 'ways' | 'paths'>;

/** `checkDefinition` reports too few ways and shares that are none (K2). */
export function readSplit(parts: ReadonlyMap<string, FileNode>, ids: ReadonlySet<string>): Split {
  const entries =
    parts.get('paths')?.entries('paths as a map of names to shares and targets') ?? [];
  const read = entries.map((entry) => readWay(entry, ids));
  return {
    by: readSubject(parts.get('by')),
    ways: read.map(({ way }) => way),
    paths: read.flatMap(({ paths }) => paths),
  };
}

function readSubject(node: FileNode | undefined): SplitSubject {
  const by = node?.text('by') ?? 'user';
  const known = SPLIT_SUBJECTS.find((one) => one === by);
  if (!known)
    node!.report('split.unknown-by', `by is ${listOf(SPLIT_SUBJECTS, 'or')}, not ${quote(by)}`);
  return known ?? 'user';
}

function readWay(
  { key: name, value: node }: Entry,
  ids: ReadonlySet<string>,
): { way: Way; paths: Path[] } {
  if (!node.isMap()) {
    node.report(
      'value.not-map',
      `a path of a split is its share and its target: { share: 50, to: BLOCK }, not ${node.describe()}`,
    );
    return { way: { name, share: 1 }, paths: [] };
  }
  const parts = node.parts(`path ${name}`, WAY_KEYS);
  const share = parts.get('share');
  if (!share) node.reportMissing('share', `path ${name} of a split needs its share: share: 50`);
  const to = parts.get('to');
  return {
    way: { name, share: share ? readShare(share) : 1 },
    paths: to ? readTargets(to, ids).map((target) => ({ names: [name], to: target })) : [],
  };
}

function readShare(node: FileNode): number {
  const share = node.scalar();
  if (typeof share === 'number') return share;
  node.report(
    'split.bad-share',
    `a share is a whole number from 0 to ${HIGHEST_SHARE}, not ${node.describe()}`,
  );
  return 1;
}
