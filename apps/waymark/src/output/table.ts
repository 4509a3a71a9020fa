import { plainLine } from './plain-text.js';

/** What a cell of a table may hold. */
export type Cell = string | number | boolean | Date | null | undefined;

const GAP = '  ';
/** No column is cut below this, however narrow the terminal is. */
const LEAST_WIDTH = 12;

/**
 * Rows as aligned columns under their headings, a line each; `none` when there are no rows. On a
 * terminal the widest columns are cut to what fits into a line; what goes into a file or a pipe is
 * whole.
 */
export function table<Row extends { [Heading in keyof Row]: Cell }>(
  rows: readonly Row[],
  none: string,
  room: number | undefined = process.stdout.columns,
): string {
  const [first] = rows;
  if (!first) return none;
  const headings = Object.keys(first) as (keyof Row & string)[];
  const lines = [headings, ...rows.map((row) => headings.map((heading) => show(row[heading])))];
  const needed = headings.map((_, column) =>
    lines.reduce((width, line) => Math.max(width, line[column]!.length), 0),
  );
  const widths = room === undefined ? needed : fit(needed, room);
  return lines
    .map((line) =>
      line
        .map((text, column) => cut(text, widths[column]!).padEnd(widths[column]!))
        .join(GAP)
        .trimEnd(),
    )
    .join('\n');
}

/** Takes from the widest column until all fit, or until none is wide any more. */
function fit(needed: readonly number[], room: number): number[] {
  const widths = [...needed];
  let excess = widths.reduce((sum, width) => sum + width, GAP.length * (widths.length - 1)) - room;
  while (excess > 0) {
    const widest = widths.indexOf(Math.max(...widths));
    const next = Math.max(...widths.filter((_, column) => column !== widest), LEAST_WIDTH);
    const step = Math.min(excess, Math.max(1, widths[widest]! - next));
    if (widths[widest]! - step < LEAST_WIDTH) return widths;
    widths[widest]! -= step;
    excess -= step;
  }
  return widths;
}

/** Cut text ends in a sign that says so; never between the halves of one character. */
const cut = (text: string, width: number): string =>
  text.length <= width ? text : `${text.slice(0, width - 1).replace(/[\ud800-\udbff]$/, '')}…`;

function show(cell: Cell): string {
  if (cell === null || cell === undefined) return '-';
  return cell instanceof Date ? cell.toISOString() : plainLine(String(cell));
}
