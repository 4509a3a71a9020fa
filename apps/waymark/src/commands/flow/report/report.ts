import { Option } from 'commander';
import type { ReportInput, FlowReport, SplitInput } from '@waymark/domain/analysis';
import type { Command } from '../../../command-line/command.js';
import { parseLimit, parseNumber, parseMoment } from '../../../command-line/arguments.js';
import { Progress } from '../../../output/progress.js';
import type { Session } from '../../../command-line/session.js';
import { CommandRefusal } from '../../../refusal/command-refusal.js';
import { describeReport } from './describe-report.js';
import { describeSplit } from './describe-split.js';

interface ReportArguments extends Omit<ReportInput, 'flow'> {
  csv?: boolean;
  split?: string;
  goal?: string;
  goalPath?: string;
}

type Cell = string | number | null;

export function addReportCommand(flow: Command): void {
  flow
    .command('report <flow>')
    .description('where users are, how far they came, and where they were lost')
    .option(
      '--version <number|all>',
      'the version, or all commits together; the latest commit without it',
      parseVersion,
    )
    .option(
      '--since <time>',
      'only users who came since then: 2026-05-01, 2026-05-01T12:00:00Z, or 30d for the last 30 days',
      parseMoment,
    )
    .option('--when <expression>', 'only users for whom the expression holds')
    .option('--sample <number>', 'count that many users at most', parseLimit)
    .option('--csv', 'print a table for spreadsheets')
    .addOption(
      new Option(
        '--split <block>',
        'what became of people by the way that this split sent them',
      ).conflicts(['csv', 'sample']),
    )
    .addOption(
      new Option(
        '--goal <expression>',
        'with --split: the goal is that the expression holds; without it, the goal of the flow',
      ).conflicts('goalPath'),
    )
    .option(
      '--goal-path <block.name>',
      'with --split: the goal is that this name of the block was taken, such as survey.answered',
    )
    .operation(async (session, flow: string, { csv, ...options }: ReportArguments) => {
      const { split, goal, goalPath } = options;
      if (split !== undefined) return printSplit(session, { flow, ...options, split });
      if (goal !== undefined || goalPath !== undefined)
        throw new CommandRefusal('a goal is for --split; name the split that is reported');
      const report = await loadReport(session, { flow, ...options });
      const document = { ...report, environment: session.environment };
      if (csv) session.printFile(document, reportCsv(report));
      else session.print(document, describeReport(report, session.environment));
    });
}

/**
 * A row for each block, a column for each name that any block can be left by. Lines end as RFC 4180
 * has it, in CRLF.
 */
export function reportCsv({ blocks, started }: FlowReport): string {
  const names = [...new Set(blocks.flatMap(({ left }) => Object.keys(left)))];
  const heading = [
    'block',
    'type',
    'container',
    'reached',
    'share',
    'now',
    ...names.map((name) => `left: ${name}`),
  ];
  const rows = blocks.map(
    ({ block, type, container, reached, now, left, lost, seconds }): Cell[] => [
      ...[
        block,
        type,
        container ?? null,
        reached,
        started === 0 ? null : Math.round((reached / started) * 10_000) / 10_000,
        now,
      ],
      ...names.map((name) => (Object.hasOwn(left, name) ? left[name]! : null)),
      ...[lost, seconds.median, seconds.p90],
    ],
  );
  const lines: Cell[][] = [
    [...heading, 'lost', 'median seconds', '90th percentile seconds'],
    ...rows,
  ];
  return lines.map((cells) => cells.map(quoted).join(',')).join('\r\n');
}

function quoted(cell: Cell): string {
  const text = cell === null ? '' : String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The report of the session's environment, with progress. */
export async function loadReport(session: Session, input: ReportInput) {
  const { reportFlow } = await import('@waymark/domain/analysis');
  const { dataSource, environmentId } = await session.openEnvironment();
  const progress = new Progress(session, 'users');
  const onProgress = (done: number, share: number) => progress.show({ done, share });
  return progress.during(reportFlow(dataSource, environmentId, input, { onProgress }));
}

async function printSplit(session: Session, input: SplitInput): Promise<void> {
  const { reportSplit } = await import('@waymark/domain/analysis');
  const { dataSource, environmentId } = await session.openEnvironment();
  const progress = new Progress(session, 'users');
  const onProgress = (done: number, share: number) => progress.show({ done, share });
  const report = await progress.during(
    reportSplit(dataSource, environmentId, input, { onProgress }),
  );
  const { environment } = session;
  session.print({ ...report, environment }, describeSplit(report, environment));
}

const parseVersion = (text: string): number | 'all' => (text === 'all' ? text : parseNumber(text));
