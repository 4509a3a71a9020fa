import { expect, test } from '@jest/globals';
import type { FlowReport } from '@waymark/domain/analysis';
import { describeReport } from './describe-report.js';
import { reportCsv } from './report.js';

const report: FlowReport = {
  flow: 'onboarding',
  name: 'New users',
  version: 3,
  users: 1_204,
  started: 1_180,
  inProgress: 310,
  finished: 700,
  stopped: 170,
  blocks: [
    {
      block: 'welcome',
      type: 'modal',
      reached: 1_180,
      now: 12,
      left: { complete: 1_100, dismiss: 0 },
      paths: { setup: 1_100 },
      lost: 68,
      seconds: { median: 12.4, p90: 5_400 },
      answers: [
        {
          key: 'score',
          count: 120,
          numbers: { count: 120, mean: 8.2312, spread: 1.5, min: 0, max: 10 },
        },
        {
          key: 'why',
          count: 1_030,
          texts: ['a', 'b', 'c', 'd', 'e', 'too "slow"'].map((text) => ({ text, count: 2 })),
          otherTexts: 1_000,
        },
      ],
    },
    {
      block: 'invite',
      type: 'checklistItem',
      container: 'setup',
      reached: 590,
      now: 298,
      left: { complete: 2, 'skip, "it"': 0 },
      paths: {},
      lost: 0,
      seconds: { median: null, p90: null },
    },
  ],
  branches: [{ block: 'is-admin', outcomes: { true: 3, false: 1_000 } }],
  days: [
    { day: '2026-01-30', started: 900, finished: 0 },
    { day: '2026-01-31', started: 100, finished: 250 },
  ],
  followed: 1_000,
  sampled: { users: 1_204, margin: 0.0282 },
  notes: ['something to know'],
};

test('a report reads from top to bottom as a funnel (E13)', () => {
  expect(describeReport(report, 'production').split('\n')).toEqual([
    'New users (onboarding), version 3, in production',
    '1,204 users: 1,180 started, 310 in progress, 700 finished, 170 stopped',
    '',
    'block     reached  of started                there now  left            lost  median time  90th percentile',
    'welcome   1,180    100 %       ████████████   12        complete 1,100  68    12 s         1.5 h',
    '  invite    590     50 %       ██████        298        complete 2       0    -            -',
    '',
    'branch    true  false',
    'is-admin  3     1,000',
    '',
    'answer         given  mean   spread  most frequent',
    'welcome score  120    8.231  1.5     -',
    'welcome why    1,030  -      -       "a" 2, "b" 2, "c" 2, "d" 2, "e" 2, others 1,002',
    '',
    'day (UTC)   started  finished',
    '2026-01-30  900      0',
    '2026-01-31  100      250',
    '',
    'a sample of 1,204 users: shares are off by 2.8 % at most, 19 times of 20',
    'times, branches and answers are from the events of 1,000 users',
    'lost: reached the block, are not there and never left it, since the flow ended or went on without them',
    'something to know',
  ]);
});

test('the goal stands below the flags (Z7)', () => {
  const goal = { when: 'user.properties.activated', met: 590, missed: 1_100 };
  expect(describeReport({ ...report, goal }, 'production').split('\n')[2]).toBe(
    'goal: 590 of 1,180 met it, 50 %; 1,100 finished without it (user.properties.activated)',
  );
});

test('spreadsheets get a row for each block, whatever its names are (E13)', () => {
  expect(reportCsv(report).split('\r\n')).toEqual([
    'block,type,container,reached,share,now,left: complete,left: dismiss,"left: skip, ""it""",lost,median seconds,90th percentile seconds',
    'welcome,modal,,1180,1,12,1100,0,,68,12.4,5400',
    'invite,checklistItem,setup,590,0.5,298,2,,0,0,,',
  ]);
});
