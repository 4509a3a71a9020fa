import type {
  ShareDifference,
  ShareEstimate,
  SplitReport,
  WayReport,
} from '@waymark/domain/analysis';
import { countUsers, inDigits, inDuration, inPercent } from '../../../output/numbers.js';
import { table } from '../../../output/table.js';

/** The results of a split, a line for each way, and what can be concluded from them (K3). */
export function describeSplit(report: SplitReport, environment: string): string {
  const { flow, name, version, split, goal, ways } = report;
  const title = name === null || name === flow ? flow : `${name} (${flow})`;
  const people = ways.reduce((sum, way) => sum + way.people, 0);
  const shares = ways.reduce((sum, { share }) => sum + (share ?? 0), 0);
  return [
    `split ${split} of ${title}, ${version === 'all' ? 'all versions' : `version ${version}`}, in ${environment}`,
    `${countUsers(people)} came; ${goal === null ? 'it has no goal' : `goal: ${'path' in goal ? goal.path : goal.when}`}`,
    '',
    table(
      ways.map((way) => wayRow(way, shares, goal !== null && 'path' in goal)),
      '',
    ),
    '',
    ...ways.flatMap((way) => describeDifference(report, way)),
    ...describeRatio(report),
    ...report.notes,
  ].join('\n');
}

function wayRow(
  { way, share, people, finished, goal }: WayReport,
  shares: number,
  isTimed: boolean,
) {
  return {
    way,
    share: share === null ? 'gone' : inPercent(share / shares),
    people: inDigits(people),
    finished: estimate(finished),
    ...(goal && { goal: estimate(goal) }),
    ...(goal && isTimed && { 'median time': inDuration(goal.seconds) }),
  };
}

/** `590 (50 %, 47 to 53)`. */
function estimate({ people, share, low, high }: ShareEstimate): string {
  if (share === null) return inDigits(people);
  return `${inDigits(people)} (${inPercent(share, 1)}, ${points(low!)} to ${points(high!)})`;
}

const points = (share: number): string => (share * 100).toFixed(1);

const VERDICTS: Readonly<Record<ShareDifference['verdict'], string>> = {
  higher: 'higher',
  lower: 'lower',
  open: 'chance alone may explain it',
  'too-few': 'fewer than 100 people a way, too few to tell',
};

function describeDifference(
  { ways, outcome }: SplitReport,
  { way, difference }: WayReport,
): string[] {
  if (!difference) return [];
  const what = outcome === 'goal' ? 'reached the goal' : 'finished';
  const { share, low, high, verdict } = difference;
  const size =
    share === null
      ? ''
      : `${share < 0 ? '' : '+'}${points(share)} points (${points(low!)} to ${points(high!)}): `;
  return [`${what}, ${way} beside ${ways[0]!.way}: ${size}${VERDICTS[verdict]}`];
}

function describeRatio({ sampleRatio }: SplitReport): string[] {
  if (!sampleRatio?.isSuspicious) return [];
  const { since, people } = sampleRatio;
  return [
    `warning: the ${countUsers(people)} who came since version ${since} are not spread as the shares say, and chance hardly explains it (p under 0.001): something else decides who comes along, so do not trust the comparison`,
  ];
}
