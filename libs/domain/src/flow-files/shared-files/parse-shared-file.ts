import { FileNode } from '../source/file-node.js';
import type { FileProblem } from '../source/file-problem.js';
import { type FileAdvice, FlowSource } from '../source/flow-source.js';

export interface ParsedFile<Content> {
  /** Null where there is a problem. */
  readonly content: Content | null;
  readonly problems: FileProblem[];
}

const ADVICE: FileAdvice = {
  empty: 'it needs at least the one key that holds everything',
  tooLong: 'leave out what no flow mentions',
};

/**
 * Reads a file that all environments share, and reports everything that is wrong with it at once.
 */
export function parseSharedFile<Content>(
  text: string,
  { file }: { file: string },
  read: (root: FileNode, source: FlowSource) => Content,
): ParsedFile<Content> {
  const source = new FlowSource(text, ADVICE);
  const content = source.root && read(FileNode.root(source), source);
  const problems = source.listProblems(file);
  return { content: problems.length > 0 ? null : content, problems };
}
