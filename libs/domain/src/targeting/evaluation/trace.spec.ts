import { describe, expect, test } from '@jest/globals';
import { expressionContexts, expressions } from '@waymark/testing/generators';
import { fc } from '@waymark/testing/properties';
import type { Context } from './context.js';
import { evaluate } from './evaluate.js';
import { parseExpression } from '../language/parse.js';
import { trace, type Trace } from './trace.js';

const context: Context = {
  now: 0,
  user: {
    identifier: 'ada',
    properties: { plan: 'free', roles: ['Admin'], left: null },
    createdAt: 0,
    updatedAt: 0,
  },
  group: null,
};
const traced = (source: string): Trace => trace(parseExpression(source), context);
const flat = (part: Trace): Trace[] => [part, ...part.parts.flatMap(flat)];

describe('the trace of a condition (I1)', () => {
  test('has every part as it is written, with its value, also what evaluation does not look at', () => {
    const parts = flat(
      traced(
        'user.properties.plan == "pro" && ( NOT user.properties.roles[0]  or length(user.identifier) > 2 )',
      ),
    );
    expect(parts.map(({ source, value }) => [source, value])).toEqual([
      [
        'user.properties.plan == "pro" && ( NOT user.properties.roles[0]  or length(user.identifier) > 2 )',
        false,
      ],
      ['user.properties.plan == "pro"', false],
      ['user.properties.plan', 'free'],
      ['"pro"', 'pro'],
      ['NOT user.properties.roles[0]  or length(user.identifier) > 2', true],
      ['NOT user.properties.roles[0]', false],
      ['user.properties.roles[0]', 'Admin'],
      ['length(user.identifier) > 2', true],
      ['length(user.identifier)', 3],
      ['user.identifier', 'ada'],
      ['2', 2],
    ]);
  });

  test.each([
    ['user.properties.nothing', true],
    ['user.properties.left', false],
    ['user.properties.left.deeper', true],
    ['user.properties.roles[1]', true],
    ['user.properties.roles.length', true],
    ['user.createdAt.milliseconds', true],
    ['group.identifier', true],
    ['group.properties.seats', true],
    ['user.properties.plan', false],
  ])('%s: missing is %s (S31)', (source, isMissing) => {
    expect(traced(source)).toMatchObject({ kind: 'path', isMissing });
  });
});

test('trace and evaluation agree, for the whole and for each part by itself, and never throw (I1, S31)', () => {
  fc.assert(
    fc.property(expressions, expressionContexts, (source, within) => {
      const whole = trace(parseExpression(source), within);
      for (const part of flat(whole))
        expect(part.value).toEqual(evaluate(parseExpression(part.source), within));
    }),
    { numRuns: 300 },
  );
});

test('parts, put together by their operators, give the whole (I1)', () => {
  const together: Partial<Record<Trace['kind'], (values: boolean[]) => boolean>> = {
    and: (values) => values.every(Boolean),
    or: (values) => values.some(Boolean),
    not: ([value]) => !value,
  };
  fc.assert(
    fc.property(expressions, expressionContexts, (source, within) => {
      for (const { kind, value, parts } of flat(trace(parseExpression(source), within))) {
        const combined = together[kind]?.(parts.map((part) => Boolean(part.value)));
        if (combined !== undefined) expect(value).toBe(combined);
      }
    }),
    { numRuns: 300 },
  );
});
