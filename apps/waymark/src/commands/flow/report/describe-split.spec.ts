import { expect, test } from '@jest/globals';
import type { SplitReport } from '@waymark/domain/analysis';
import { describeSplit } from './describe-split.js';

const report: SplitReport = {
  flow: 'offers',
  name: 'Offers',
  version: 3,
  split: 'offer',
  by: 'user',
  goal: { path: 'survey.answered' },
  outcome: 'goal',
  ways: [
    {
      way: 'short',
      share: 45,
      people: 1_000,
      finished: { people: 500, share: 0.5, low: 0.469, high: 0.531 },
      goal: { people: 120, share: 0.12, low: 0.101, high: 0.142, seconds: 90 },
    },
    {
      way: 'long',
      share: 55,
      people: 0,
      finished: { people: 0, share: null, low: null, high: null },
      goal: { people: 0, share: null, low: null, high: null, seconds: null },
      difference: { share: null, low: null, high: null, verdict: 'too-few' },
    },
    {
      way: 'old',
      share: null,
      people: 1_100,
      finished: { people: 500, share: 0.4545, low: 0.4253, high: 0.4841 },
      goal: { people: 190, share: 0.1727, low: 0.1515, high: 0.1962, seconds: 30 },
      difference: { share: 0.0527, low: 0.0223, high: 0.083, verdict: 'higher' },
    },
  ],
  sampleRatio: { since: 2, people: 1_000, p: 1e-9, isSuspicious: true },
  followed: 310,
  notes: ['something to know'],
};

test('a split reads way by way, with what may be said of the difference (K3)', () => {
  expect(describeSplit(report, 'production').split('\n')).toEqual([
    'split offer of Offers (offers), version 3, in production',
    '2,100 users came; goal: survey.answered',
    '',
    'way    share  people  finished                    goal                        median time',
    'short  45 %   1,000   500 (50.0 %, 46.9 to 53.1)  120 (12.0 %, 10.1 to 14.2)  1.5 min',
    'long   55 %   0       0                           0                           -',
    'old    gone   1,100   500 (45.5 %, 42.5 to 48.4)  190 (17.3 %, 15.2 to 19.6)  30 s',
    '',
    'reached the goal, long beside short: fewer than 100 people a way, too few to tell',
    'reached the goal, old beside short: +5.3 points (2.2 to 8.3): higher',
    'warning: the 1,000 users who came since version 2 are not spread as the shares say, and chance hardly explains it (p under 0.001): something else decides who comes along, so do not trust the comparison',
    'something to know',
  ]);
});
