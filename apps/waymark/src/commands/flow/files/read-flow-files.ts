import { createReadStream } from 'node:fs';
import type { FlowDraft, Known } from '@waymark/domain/engine';
import type { FileProblem } from '@waymark/domain/flow-files';
import type { EntityManager } from 'typeorm';
import { CommandRefusal } from '../../../refusal/command-refusal.js';
import type { Session } from '../../../command-line/session.js';
import { readingFailure } from '../../../output/write-output.js';

export interface FlowFile {
  readonly file: string;
  /** As it is written; empty where it cannot be read. */
  readonly text: string;
  /** Null where the file has an error. */
  readonly draft: FlowDraft | null;
  readonly problems: readonly FileProblem[];
}

/**
 * What is read of a file: more than the longest that is allowed, so that one without an end is
 * refused as too long.
 */
const MOST_BYTES = 4 * 1024 * 1024;

/**
 * Reads and checks files as one set: they know each other's flows, and none may describe the flow
 * of another. What neither they nor the database have, as far as it is given, is warned about.
 */
export async function readFlowFiles(names: readonly string[], stored?: Known): Promise<FlowFile[]> {
  const { parseFlowFile } = await import('@waymark/domain/flow-files');
  const read = await Promise.all(names.map(async (file) => ({ file, ...(await readText(file)) })));
  const parse = (known: Known = {}): FlowFile[] =>
    read.map((one) => {
      const { file } = one;
      if ('problem' in one) return { file, text: '', draft: null, problems: [one.problem] };
      return { file, text: one.text, ...parseFlowFile(one.text, { file, known }) };
    });
  const alone = parse();
  const described = alone.flatMap(({ draft }) => draft?.flow ?? []);
  const files = stored
    ? parse({
        ...stored,
        ...(stored.flows && { flows: new Set([...stored.flows, ...described]) }),
      })
    : alone;
  return files.map((one, index) => refuseSecond(one, files.slice(0, index)));
}

/**
 * The text of a file, without a byte order mark; a problem like those within it where there is none
 * (F4).
 */
export async function readText(file: string): Promise<{ text: string } | { problem: FileProblem }> {
  let bytes: Buffer;
  try {
    bytes = Buffer.concat(await createReadStream(file, { end: MOST_BYTES }).toArray());
  } catch (error) {
    return {
      problem: problemOf(file, 'file.unreadable', `cannot be read: ${readingFailure(error)}`),
    };
  }
  if (bytes.length > MOST_BYTES)
    return { problem: problemOf(file, 'file.too-long', 'is longer than any flow file may be') };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { problem: problemOf(file, 'file.encoding', 'is not UTF-8; save it as UTF-8') };
  }
}

function problemOf(file: string, code: string, message: string): FileProblem {
  return { file, line: 1, column: 1, severity: 'error', code, message };
}

/**
 * The same beside the flows that are stored, which triggers may name, and the properties that
 * conditions may ask for.
 */
export async function readStoredFlowFiles(
  manager: EntityManager,
  names: readonly string[],
): Promise<FlowFile[]> {
  const { listAttentionGroups, listFlows, loadSegments } = await import('@waymark/domain/flows');
  const { listUnverified } = await import('@waymark/domain/access');
  const { loadSeenEvents, loadSeenProperties } = await import('@waymark/domain/users');
  const stored = (await listFlows(manager)).filter(({ archived }) => !archived);
  const flows = new Set(stored.map(({ flow }) => flow));
  const groups = new Set((await listAttentionGroups(manager)).keys());
  const properties = await loadSeenProperties(manager);
  const events = await loadSeenEvents(manager);
  const unverified = await listUnverified(manager);
  const segments = await loadSegments(manager);
  return readFlowFiles(names, { flows, groups, properties, events, unverified, segments });
}

/** Prints all problems, one a line, and refuses if one of them is an error (F4). */
export async function refuseProblems(
  session: Session,
  files: readonly FlowFile[],
  outcome: string,
): Promise<void> {
  const problems = files.flatMap((file) => file.problems);
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  if (errors === 0) return;
  for (const line of await problemLines(problems)) session.note(line);
  throw new CommandRefusal(`${errors} ${errors === 1 ? 'error' : 'errors'}${outcome}`, {
    document: { problems },
  });
}

/**
 * As many problems are printed, as many as the studio shows: a file of commas has half a million.
 */
const MOST_LINES = 500;

/** `file:line:column problem` for each, and how many more there are. */
export async function problemLines(problems: readonly FileProblem[]): Promise<string[]> {
  const { describeProblem } = await import('@waymark/domain/flow-files');
  const lines = problems.slice(0, MOST_LINES).map(describeProblem);
  const more = problems.length - lines.length;
  return more > 0
    ? [...lines, `and ${more.toLocaleString('en-US')} more, all of which --json prints`]
    : lines;
}

function refuseSecond(one: FlowFile, before: readonly FlowFile[]): FlowFile {
  const other = before.find(({ draft }) => draft && draft.flow === one.draft?.flow);
  if (!other) return one;
  const message = `flow ${one.draft?.flow} is described by ${other.file} too; one flow is one file`;
  const problem = {
    file: one.file,
    line: 1,
    column: 1,
    severity: 'error',
    code: 'flow.twice',
    message,
  } as const;
  return { ...one, draft: null, problems: [problem, ...one.problems] };
}
