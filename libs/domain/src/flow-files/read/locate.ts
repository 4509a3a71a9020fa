import { isScalar } from 'yaml';
import type { Problem } from '../../engine/index.js';
import { expressionOffset } from './expression-offset.js';
import type { FileNode, KeyReader } from '../source/file-node.js';
import type { FlowSource } from '../source/flow-source.js';
import { pathNames } from './read-paths.js';

/** Problems of a key rather than of what stands under it. */
const KEY_CODES = ['path.bad-name', 'path.unknown-name', 'path.without-name', 'field.duplicate'];

/** Offset of what a problem of the definition is about: its value, or the key of a whole block, or the nearest part above. */
export function locate(source: FlowSource, file: FileNode, { place, at, code }: Problem): number {
  let node = file;
  for (const key of place) {
    const next = findPart(node, key);
    if (!next) return node.keyOffset;
    node = next;
  }
  if (at && isScalar(node.node)) return expressionOffset(source.text, node.node, at);
  return node.isMap() || node.isList() || KEY_CODES.includes(code) ? node.keyOffset : node.offset;
}

/** Follows a key as definitions have it, to where the file may have written it otherwise. */
function findPart(node: FileNode, key: string | number): FileNode | undefined {
  if (typeof key === 'number') return node.isList() ? node.find(key) : undefined;
  if (key === 'next') return node.find(key) ?? node.find('paths')?.find('default');
  return node.find(key) ?? (isPaths(node) ? node.findAs(joinedNames, key) : undefined);
}

const joinedNames: KeyReader = (key) => pathNames(key).join();

function isPaths({ place }: FileNode): boolean {
  return place.length === 3 && place[2] === 'paths';
}
