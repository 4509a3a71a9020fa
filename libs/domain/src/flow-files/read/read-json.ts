import type { Json } from '../../json/json.js';
import type { FileNode } from '../source/file-node.js';

/** As deep as bodies of requests may be (W7). */
const MAX_LEVELS = 64;

/** Any JSON value, keys as they are written; `null` stands in for what was reported. */
export function readJson(node: FileNode, level = 1): Json {
  if (level > MAX_LEVELS) {
    node.report('value.too-deep', `nested more than ${MAX_LEVELS} levels deep`);
    return null;
  }
  if (node.isList()) return node.elements().map((element) => readJson(element, level + 1));
  if (node.isMap()) return Object.fromEntries(node.pairs().map(({ key, value }) => [key, readJson(value, level + 1)]));
  const value = node.scalar();
  return typeof value === 'number' ? readNumber(node, value) : (value as string | boolean | null);
}

/** JSON has no infinity, no NaN and one zero. */
export function readNumber(node: FileNode, value: number): number {
  if (Number.isFinite(value)) return value + 0;
  node.report('value.not-finite', `${node.written()} is not a number that JSON can hold`);
  return 0;
}
