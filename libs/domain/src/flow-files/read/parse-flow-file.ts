import { checkDefinition, type FlowDraft, type Known, type Problem } from '../../engine/index.js';
import { FileNode } from '../source/file-node.js';
import { FlowSource, type Finding } from '../source/flow-source.js';
import { locate } from './locate.js';
import type { FileProblem, Place } from '../source/file-problem.js';
import { readFlow } from './read-flow.js';

/** Warnings that only follow from an error in a path or from a block of an unknown type. */
const FOLLOWING = ['block.unreachable', 'gate.never-opens', 'custom.without-paths'];
const BREAKING = ['path.unknown-target', 'path.to-item'];
const GRAPH_KEYS = ['paths', 'next', 'type'];

/** A text of half a million characters may stand where a name was meant, and nobody reads it in a message. */
const LONGEST_MESSAGE = 2_000;

export interface ParsedFlowFile {
  /** The flow that the file describes, or null when a problem is an error. */
  draft: FlowDraft | null;
  /** Everything wrong with the file at once, from top to bottom (F4). */
  problems: FileProblem[];
}

/**
 * Reads a flow file, YAML or JSON, and checks it whole (S4, F1 to F4). `file` is how problems name it; triggers of flows, and
 * conditions on properties, that are not among what is known are warned about where it is given.
 */
export function parseFlowFile(text: string, options: { file: string; known?: Known }): ParsedFlowFile {
  const source = new FlowSource(text);
  const root = FileNode.root(source);
  const draft = source.root && readFlow(root);
  if (draft) source.findings.push(...problemsOf(draft, options.known, source, root));
  const refused = source.findings.some((finding) => finding.severity === 'error');
  const findings = source.findings.sort((a, b) => a.offset - b.offset);
  return { draft: refused ? null : draft, problems: findings.map((finding) => fileProblem(options.file, source, finding)) };
}

/**
 * What the definition says against itself, except where the file was already refused and something else stands in, and
 * except what may only follow from a target that is mistyped.
 */
function problemsOf(draft: FlowDraft, known: Known | undefined, source: FlowSource, root: FileNode): Finding[] {
  const spoiled = new Set(source.findings.flatMap(({ place }) => (place ? [keyOf(place)] : [])));
  const problems = checkDefinition(draft, known).filter((problem) => !isSpoiled(problem, spoiled));
  const isGraphWhole = ![...source.findings, ...problems].some(breaksGraph);
  return problems
    .filter(({ code }) => isGraphWhole || !FOLLOWING.includes(code))
    .map((problem) => ({ ...problem, offset: locate(source, root, problem) }));
}

/** Only errors do: what is warned about is the graph that its author has drawn. */
function breaksGraph({ code, place, severity }: Pick<Finding, 'code' | 'place' | 'severity'>): boolean {
  if (severity !== 'error') return false;
  if (BREAKING.includes(code) || place?.[0] === 'start') return true;
  const isBlockKey = place?.[0] === 'blocks' && place.length > 2;
  return isBlockKey && (code === 'key.unknown' ? place.length === 3 : GRAPH_KEYS.includes(String(place[2])));
}

function isSpoiled({ place }: Problem, spoiled: ReadonlySet<string>): boolean {
  return place.some((_, index) => spoiled.has(keyOf(place.slice(0, index + 1))));
}

function keyOf(place: Place): string {
  return JSON.stringify(place);
}

function fileProblem(file: string, source: FlowSource, { offset, severity, code, message }: Finding): FileProblem {
  return { file, ...source.positionAt(offset), severity, code, message: cut(message) };
}

/** Never between the halves of one character. */
const cut = (message: string): string =>
  message.length <= LONGEST_MESSAGE ? message : `${message.slice(0, LONGEST_MESSAGE).replace(/[\ud800-\udbff]$/, '')}…`;
