import type { Known } from '@waymark/domain/engine';
import { type FileProblem, parseFlowFile, type ParsedFlowFile } from '@waymark/domain/flow-files';

/** More than anybody reads. */
const MOST = { problems: 500, letters: 1_000 };

/** A text that is being edited, which is in no file. */
export function parse(text: string, known: Known | undefined): ParsedFlowFile {
  const { draft, problems } = parseFlowFile(text, { file: 'flow.yaml', ...(known && { known }) });
  return { draft, problems: shorten(problems).map(cut) };
}

/** The first problems, errors where there are any, and last how many more there are. */
function shorten(problems: FileProblem[]): FileProblem[] {
  if (problems.length <= MOST.problems) return problems;
  const errors = problems.filter(({ severity }) => severity === 'error');
  const told = (errors.length > 0 ? errors : problems).slice(0, MOST.problems);
  const more = (problems.length - told.length).toLocaleString('en-US');
  return [...told, { ...told.at(-1)!, code: 'file.more-problems', message: `and ${more} more problems` }];
}

/** Messages quote what was written. */
function cut(problem: FileProblem): FileProblem {
  const { message } = problem;
  return message.length > MOST.letters ? { ...problem, message: `${message.slice(0, MOST.letters)}…` } : problem;
}
