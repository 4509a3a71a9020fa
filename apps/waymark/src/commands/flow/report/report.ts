import type { ReportInput } from '@waymark/domain/impact';
import type { Command } from '../../../command-line/command.js';
import { parseLimit, parseNumber, parseMoment } from '../../../command-line/arguments.js';
import { Progress } from '../../../output/progress.js';
import type { Session } from '../../../command-line/session.js';
import { describeReport } from './describe-report.js';
import { reportCsv } from './report-csv.js';

interface ReportArguments extends Omit<ReportInput, 'flow'> {
  csv?: boolean;
}

export function addReportCommand(flow: Command): void {
  flow
    .command('report <flow>')
    .description('where users are, how far they came, and where they were lost')
    .option('--version <number|all>', 'the version, or all commits together; the latest commit without it', parseVersion)
    .option(
      '--since <time>',
      'only users who came since then: 2026-05-01, 2026-05-01T12:00:00Z, or 30d for the last 30 days',
      parseMoment,
    )
    .option('--when <expression>', 'only users for whom the expression holds')
    .option('--sample <number>', 'count that many users at most', parseLimit)
    .option('--csv', 'print a table for spreadsheets')
    .operation(async (session, flow: string, { csv, ...options }: ReportArguments) => {
      const report = await loadReport(session, { flow, ...options });
      const document = { ...report, environment: session.environment };
      if (csv) session.printFile(document, reportCsv(report));
      else session.print(document, describeReport(report, session.environment));
    });
}

/** The report of the session's environment, with progress. */
export async function loadReport(session: Session, input: ReportInput) {
  const { reportFlow } = await import('@waymark/domain/impact');
  const { dataSource, environmentId } = await session.openEnvironment();
  const progress = new Progress(session, 'users');
  const onProgress = (done: number, share: number) => progress.tell({ done, share });
  return progress.during(reportFlow(dataSource, environmentId, input, { onProgress }));
}

const parseVersion = (text: string): number | 'all' => (text === 'all' ? text : parseNumber(text));
