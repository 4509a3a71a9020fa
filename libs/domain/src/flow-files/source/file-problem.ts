import type { Problem } from '../../engine/index.js';

/** Keys that lead to a part of a file: `['blocks', 'welcome', 'paths', 'complete']`. */
export type Place = Problem['place'];

/**
 * What is wrong in a file and where, counted from 1 (F4). An error refuses the file, a warning does
 * not (S4).
 */
export interface FileProblem {
  file: string;
  line: number;
  column: number;
  severity: Problem['severity'];
  code: string;
  message: string;
}

/** One line for people and editors: `flows/tips.yaml:12:5 …` (F4). */
export function describeProblem(problem: FileProblem): string {
  const severity = problem.severity === 'warning' ? 'warning: ' : '';
  const message = problem.message.replace(/\p{Cc}+/gu, ' ');
  return `${problem.file}:${problem.line}:${problem.column} ${severity}${message}`;
}
