import type { FlowReport } from '@waymark/domain/impact';

type Cell = string | number | null;

/** A row for each block, a column for each name that any block can be left by. Lines end as RFC 4180 has it, in CRLF. */
export function reportCsv({ blocks, started }: FlowReport): string {
  const names = [...new Set(blocks.flatMap(({ left }) => Object.keys(left)))];
  const heading = ['block', 'type', 'container', 'reached', 'share', 'now', ...names.map((name) => `left: ${name}`)];
  const rows = blocks.map(({ block, type, container, reached, now, left, lost, seconds }): Cell[] => [
    ...[block, type, container ?? null, reached, started === 0 ? null : Math.round((reached / started) * 10_000) / 10_000, now],
    ...names.map((name) => (Object.hasOwn(left, name) ? left[name]! : null)),
    ...[lost, seconds.median, seconds.p90],
  ]);
  const lines: Cell[][] = [[...heading, 'lost', 'median seconds', '90th percentile seconds'], ...rows];
  return lines.map((cells) => cells.map(quoted).join(',')).join('\r\n');
}

function quoted(cell: Cell): string {
  const text = cell === null ? '' : String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
