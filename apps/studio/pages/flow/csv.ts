import type { FlowReport } from '@waymark/domain/analysis';

/** The funnel as a table for spreadsheets, one line a block. */
export function csvOf({ blocks, started }: FlowReport): string {
  const head = [
    'block',
    'type',
    'container',
    'started',
    'reached',
    'now',
    'left',
    'lost',
    'median seconds',
    '90th percentile',
  ];
  const rows = blocks.map(({ block, type, container, reached, now, left, lost, seconds }) => {
    const ways = Object.entries(left).map(([name, count]) => `${name} ${count}`);
    return [
      block,
      type,
      container ?? '',
      started,
      reached,
      now,
      ways.join(' '),
      lost,
      seconds.median ?? '',
      seconds.p90 ?? '',
    ];
  });
  return [head, ...rows].map((row) => row.map(cell).join(',')).join('\r\n') + '\r\n';
}

function cell(value: string | number): string {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
