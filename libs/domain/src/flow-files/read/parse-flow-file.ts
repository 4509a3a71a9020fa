import { isScalar } from 'yaml';
import {
  checkDefinition,
  type FlowDraft,
  type Known,
  type Problem,
  withSegments,
} from '../../engine/index.js';
import { expressionOffset } from '../source/expression-offset.js';
import { FileNode, type KeyReader } from '../source/file-node.js';
import { FlowSource, type Finding } from '../source/flow-source.js';
import type { FileProblem, Place } from '../source/file-problem.js';
import { readFlow } from './read-flow.js';
import { pathNames } from './read-paths.js';

/** Warnings that only follow from an error in a path or from a block of an unknown type. */
const FOLLOWING = ['block.unreachable', 'gate.never-opens', 'custom.without-paths'];
const BREAKING = ['path.unknown-target', 'path.to-item'];
const GRAPH_KEYS = ['paths', 'next', 'type'];

export interface ParsedFlowFile {
  /** The flow that the file describes, or null when a problem is an error. */
  draft: FlowDraft | null;
  /** Everything wrong with the file at once, from top to bottom (F4). */
  problems: FileProblem[];
}

/**
 * Reads a flow file, YAML or JSON, and checks it whole (S4, F1 to F4). `file` is how problems name
 * it; triggers of flows, and conditions on properties, that are not among what is known are warned
 * about where it is given; with the segments that are known, the draft has the texts of those that
 * it mentions (Z6).
 */
export function parseFlowFile(
  text: string,
  options: { file: string; known?: Known },
): ParsedFlowFile {
  const source = new FlowSource(text);
  const root = FileNode.root(source);
  const draft = source.root && readFlow(root);
  if (draft) source.findings.push(...problemsOf(draft, options.known, source, root));
  const refused = source.findings.some((finding) => finding.severity === 'error');
  const segments = options.known?.segments;
  return {
    draft: refused || !draft ? null : segments ? withSegments(draft, segments) : draft,
    problems: source.listProblems(options.file),
  };
}

/** Problems of a key rather than of its value. */
const KEY_CODES = ['path.bad-name', 'path.unknown-name', 'path.without-name', 'field.duplicate'];

const joinedNames: KeyReader = (key) => pathNames(key).join();

/**
 * Problems of the definition as a whole, except where the file was already refused and a
 * placeholder is used, and except what may only follow from a target that is mistyped.
 */
function problemsOf(
  draft: FlowDraft,
  known: Known | undefined,
  source: FlowSource,
  root: FileNode,
): Finding[] {
  const errors = source.findings.filter(({ severity }) => severity === 'error');
  const spoiled = new Set(errors.flatMap(({ place }) => (place ? [keyOf(place)] : [])));
  const problems = checkDefinition(draft, known).filter((problem) => !isSpoiled(problem, spoiled));
  const isGraphWhole = ![...source.findings, ...problems].some(breaksGraph);
  return problems
    .filter(({ code }) => isGraphWhole || !FOLLOWING.includes(code))
    .map((problem) => ({ ...problem, offset: locate(source, root, problem) }));
}

/**
 * Offset of what a problem of the definition is about: its value, or the key of a whole block, or
 * the nearest part above.
 */
function locate(source: FlowSource, file: FileNode, { place, at, code }: Problem): number {
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

function isPaths({ place }: FileNode): boolean {
  return place.length === 3 && place[2] === 'paths';
}

/** Only errors do: what is warned about is the graph that its author has drawn. */
function breaksGraph({
  code,
  place,
  severity,
}: Pick<Finding, 'code' | 'place' | 'severity'>): boolean {
  if (severity !== 'error') return false;
  if (BREAKING.includes(code) || place?.[0] === 'start') return true;
  const isBlockKey = place?.[0] === 'blocks' && place.length > 2;
  return (
    isBlockKey &&
    (code === 'key.unknown' ? place.length === 3 : GRAPH_KEYS.includes(String(place[2])))
  );
}

function isSpoiled({ place }: Problem, spoiled: ReadonlySet<string>): boolean {
  return place.some((_, index) => spoiled.has(keyOf(place.slice(0, index + 1))));
}

function keyOf(place: Place): string {
  return JSON.stringify(place);
}
