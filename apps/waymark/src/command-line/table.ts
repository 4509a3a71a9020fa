import { plainLine } from './plain-text.js';

type Cell = string | number | boolean | Date | null | undefined;

/** Rows as aligned columns under their headings, a line each; `none` when there are no rows. */
export function table(rows: readonly Record<string, Cell>[], none: string): string {
  const [first] = rows;
  if (!first) return none;
  const headings = Object.keys(first);
  const lines = [headings, ...rows.map((row) => headings.map((heading) => show(row[heading])))];
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  return lines
    .map((line) =>
      line
        .map((text, column) => text.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function show(cell: Cell): string {
  if (cell === null || cell === undefined) return '-';
  return cell instanceof Date ? cell.toISOString() : plainLine(String(cell));
}
