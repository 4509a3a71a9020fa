import { expect, test } from '@jest/globals';
import { someone } from '@waymark/testing/builders';
import { chooseWay } from './choose-way.js';

const USERS = 200_000;
/** Within so many standard deviations of a binomial lie 99.9 % of all draws. */
const Z = 3.2905;

test('of 200,000 users each way gets its share, within what chance explains (K1)', () => {
  const shares = { shown: 90, holdout: 10 };
  const ways = Object.entries(shares).map(([name, share]) => ({ name, share }));
  const counts = { shown: 0, holdout: 0 };
  const context = someone();
  for (let index = 0; index < USERS; index++) {
    const { name } = chooseWay(
      { uid: 'uid', by: 'user', ways },
      { ...context, userId: `user ${index}` },
    );
    counts[name as keyof typeof counts]++;
  }
  for (const [name, share] of Object.entries(shares)) {
    const p = share / 100;
    const off = counts[name as keyof typeof counts] - USERS * p;
    expect(Math.abs(off)).toBeLessThan(Z * Math.sqrt(USERS * p * (1 - p)));
  }
});
