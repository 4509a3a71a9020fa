import type { BlockReport, FlowReport } from '@waymark/domain/analysis';
import { countUsers, inPercent, inDuration, inDigits } from '../../../output/numbers.js';
import { table } from '../../../output/table.js';

const BAR = 12;

/** A report as a funnel that people read from top to bottom. */
export function describeReport(report: FlowReport, environment: string): string {
  const { flow, name, version, users, started, inProgress, finished, stopped } = report;
  const title = name === null || name === flow ? flow : `${name} (${flow})`;
  return [
    `${title}, ${version === 'all' ? 'all versions' : `version ${version}`}, in ${environment}`,
    `${countUsers(users)}: ${inDigits(started)} started, ${inDigits(inProgress)} in progress, ${inDigits(finished)} finished, ${inDigits(stopped)} stopped`,
    ...describeGoal(report),
    '',
    table(
      aligned(report.blocks.map((block) => blockRow(block, started))),
      'it has no blocks that users see',
    ),
    ...describeDelays(report),
    ...describeBranches(report),
    ...describeAnswers(report),
    ...describeDays(report),
    ...describeRemarks(report),
  ].join('\n');
}

function describeGoal({ goal, started }: FlowReport): string[] {
  if (!goal) return [];
  const share = started === 0 ? '' : `, ${inPercent(goal.met / started)}`;
  return [
    `goal: ${inDigits(goal.met)} of ${inDigits(started)} met it${share}; ${inDigits(goal.missed)} finished without it (${goal.when})`,
  ];
}

function blockRow(
  { block, container, reached, now, left, lost, seconds }: BlockReport,
  started: number,
) {
  const names = Object.entries(left).filter(([, users]) => users > 0);
  return {
    block: container === undefined ? block : `  ${block}`,
    reached: inDigits(reached),
    'of started': started === 0 ? '-' : inPercent(reached / started),
    '': '█'.repeat(started === 0 ? 0 : Math.round((reached / started) * BAR)),
    'there now': inDigits(now),
    left: names.map(([name, users]) => `${name} ${inDigits(users)}`).join(', ') || '-',
    lost: inDigits(lost),
    'median time': inDuration(seconds.median),
    '90th percentile': inDuration(seconds.p90),
  };
}

const NUMBERS = ['reached', 'of started', 'there now', 'lost'] as const;

/** Numbers below one another by their last digits. */
function aligned<Row extends Record<(typeof NUMBERS)[number], string>>(rows: Row[]): Row[] {
  const padded = NUMBERS.map(
    (column) => [column, Math.max(0, ...rows.map((row) => row[column].length))] as const,
  );
  return rows.map((row) => ({
    ...row,
    ...Object.fromEntries(padded.map(([column, width]) => [column, row[column].padStart(width)])),
  }));
}

const describeDelays = ({ delays = [] }: FlowReport): string[] =>
  delays.length === 0
    ? []
    : ['', ...delays.map(({ block, now }) => `wait in ${block} now: ${inDigits(now)}`)];

function describeBranches({ branches }: FlowReport): string[] {
  const taken = branches.filter(({ outcomes }) => outcomes.true + outcomes.false > 0);
  if (taken.length === 0) return [];
  const rows = taken.map(({ block, outcomes }) => ({
    branch: block,
    true: inDigits(outcomes.true),
    false: inDigits(outcomes.false),
  }));
  return ['', table(rows, '')];
}

/** Texts that are shown of an answer. */
const TEXTS = 5;

function describeAnswers({ blocks }: FlowReport): string[] {
  const rows = blocks.flatMap(({ block, answers = [] }) =>
    answers.map(({ key, count, numbers, texts = [], otherTexts = 0 }) => {
      const lines = texts
        .slice(0, TEXTS)
        .map(({ text, count: times }) => `${JSON.stringify(text)} ${inDigits(times)}`);
      const others = texts.slice(TEXTS).reduce((sum, text) => sum + text.count, otherTexts);
      return {
        answer: `${block} ${key}`,
        given: inDigits(count),
        mean: numbers ? rounded(numbers.mean) : '-',
        spread: numbers ? rounded(numbers.spread) : '-',
        'most frequent':
          [...lines, ...(others > 0 ? [`others ${inDigits(others)}`] : [])].join(', ') || '-',
      };
    }),
  );
  return rows.length === 0 ? [] : ['', table(rows, '')];
}

const rounded = (number: number): string => String(Number(number.toPrecision(4)));

/** Days that are shown at most, the latest. */
const DAYS = 14;

function describeDays({ days }: FlowReport): string[] {
  if (days.length === 0) return [];
  const rows = days.slice(-DAYS).map(({ day, started, finished }) => ({
    'day (UTC)': day,
    started: inDigits(started),
    finished: inDigits(finished),
  }));
  return ['', table(rows, '')];
}

function describeRemarks({
  sampled,
  followed,
  users,
  branches,
  blocks,
  notes,
}: FlowReport): string[] {
  const hasTimes =
    branches.length > 0 ||
    blocks.some(({ seconds, answers }) => seconds.median !== null || answers !== undefined);
  const remarks = [
    ...(sampled
      ? [
          `a sample of ${inDigits(sampled.users)} users: shares are off by ${inPercent(sampled.margin, 1)} at most, 19 times of 20`,
        ]
      : []),
    ...(hasTimes && followed < users
      ? [`times, branches and answers are from the events of ${inDigits(followed)} users`]
      : []),
    ...(blocks.some(({ lost }) => lost > 0)
      ? [
          'lost: reached the block, are not there and never left it, since the flow ended or went on without them',
        ]
      : []),
    ...notes,
  ];
  return remarks.length === 0 ? [] : ['', ...remarks];
}
