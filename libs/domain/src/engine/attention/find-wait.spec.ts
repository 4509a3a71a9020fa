import { describe, expect, test } from '@jest/globals';
import { fc } from '@waymark/testing/properties';
import { type AttentionHistory, type AttentionRules, findWait } from './find-wait.js';

const NOW = 10_000;
const span = fc.integer({ min: 1, max: 40 });
const before = fc.integer({ min: 0, max: 60 }).map((ago) => NOW - ago);
const rules: fc.Arbitrary<AttentionRules> = fc.record(
  {
    atOnce: fc.integer({ min: 1, max: 4 }),
    limit: fc.record({ starts: fc.integer({ min: 1, max: 4 }), per: span }),
    pause: span,
    idle: span,
  },
  { requiredKeys: [] },
);
const history: fc.Arbitrary<AttentionHistory> = fc.record({
  touched: fc.array(before, { maxLength: 6 }),
  starts: fc.array(before, { maxLength: 6 }),
  ended: fc.option(before),
});

/** The three conditions as they are written in the rule. */
function allowed(of: AttentionRules, { touched, starts, ended }: AttentionHistory, now: number) {
  const inProgress = touched.filter((at) => of.idle === undefined || now - at < of.idle).length;
  const inSpan = starts.filter((at) => of.limit && now - at < of.limit.per).length;
  return {
    'at-once': of.atOnce === undefined || inProgress < of.atOnce,
    limit: !of.limit || inSpan < of.limit.starts,
    pause: of.pause === undefined || ended === null || now - ended >= of.pause,
  };
}

describe('whether a flow of a group may start by itself', () => {
  test('it waits exactly where one of the conditions does not hold, and names such a one (Q3)', () => {
    fc.assert(
      fc.property(rules, history, (of, past) => {
        const wait = findWait(of, past, NOW);
        const held = allowed(of, past, NOW);
        expect(wait === null).toBe(Object.values(held).every(Boolean));
        if (wait) expect(held[wait.rule]).toBe(false);
      }),
    );
  });

  test('it starts at the time that it was told, if nothing happens meanwhile, and not before (Q3)', () => {
    fc.assert(
      fc.property(rules, history, (of, past) => {
        const wait = findWait(of, past, NOW);
        if (!wait) return;
        if (wait.until === undefined) {
          expect(findWait(of, past, NOW + 1e12)).toEqual(wait);
          return;
        }
        expect(findWait(of, past, wait.until)).toBeNull();
        expect(findWait(of, past, wait.until - 1)).toEqual(wait);
      }),
    );
  });

  test('the rule that is released last is named, without a time last, ties in their order (Q3)', () => {
    const past = { touched: [NOW], starts: [NOW], ended: NOW };
    const limit = { starts: 1, per: 5 };
    expect(findWait({ atOnce: 1, limit, pause: 9 }, past, NOW)).toEqual({ rule: 'at-once' });
    expect(findWait({ atOnce: 1, idle: 3, limit, pause: 9 }, past, NOW)).toEqual({
      rule: 'pause',
      until: NOW + 9,
    });
    expect(findWait({ limit, pause: 5 }, past, NOW)).toEqual({ rule: 'limit', until: NOW + 5 });
    expect(findWait({ atOnce: 1, idle: 5, limit, pause: 5 }, past, NOW)).toEqual({
      rule: 'at-once',
      until: NOW + 5,
    });
  });
});
