import { expect, test } from '@jest/globals';
import {
  expressionContexts as context,
  expressions as expression,
} from '@waymark/testing/generators';
import { fc } from '@waymark/testing/properties';
import { ExpressionSyntaxError } from './language/nodes.js';
import { evaluate, evaluateCondition } from './evaluation/evaluate.js';
import { parseExpression } from './language/parse.js';
import { Duration, Moment } from './values/value.js';

test('every expression gives a value for every context, never an error, and never what is not a number (S31)', () => {
  fc.assert(
    fc.property(expression, context, (source, within) => {
      const value = evaluate(parseExpression(source), within);
      const measure =
        value instanceof Moment || value instanceof Duration ? value.milliseconds : value;
      expect(value).toBeDefined();
      expect(measure).not.toBeNaN();
      expect(evaluateCondition(parseExpression(source), within)).toBe(Boolean(value));
    }),
    { numRuns: 500 },
  );
});

test('the same expression and context give the same value, and the context is left as it was (S31)', () => {
  fc.assert(
    fc.property(expression, context, (source, within) => {
      const before = structuredClone(within);
      const parsed = parseExpression(source);
      expect(evaluate(parsed, within)).toEqual(evaluate(parsed, within));
      expect(within).toEqual(before);
    }),
  );
});

test('NOT turns every condition around, and != every ==, on both sides alike (S29, S31)', () => {
  fc.assert(
    fc.property(expression, expression, context, (a, b, within) => {
      const holds = (source: string) => evaluateCondition(parseExpression(source), within);
      expect(holds(`NOT (${a})`)).toBe(!holds(a));
      expect(holds(`(${a}) != (${b})`)).toBe(!holds(`(${a}) == (${b})`));
      expect(holds(`(${a}) == (${b})`)).toBe(holds(`(${b}) == (${a})`));
      expect(holds(`(${a}) < (${b})`)).toBe(holds(`(${b}) > (${a})`));
    }),
  );
});

test('whatever is written is read or refused with a place inside the source (S31)', () => {
  const token = fc.constantFrom(
    'user',
    '.properties',
    '.a',
    '(',
    ')',
    '[',
    ']',
    '"',
    "'",
    '\\',
    '\n',
    ' ',
    'AND',
    'not',
    '!',
    '=',
    '==',
    '<',
    '+',
    '-',
    '1',
    'e',
    ',',
    'matches',
    'days',
    '😀',
    '\ud800',
    '\\u12',
  );
  const written = fc.oneof(
    fc.array(token, { maxLength: 30 }).map((tokens) => tokens.join('')),
    fc.string({ unit: 'binary' }),
    fc
      .tuple(expression, fc.nat(), token)
      .map(
        ([source, at, extra]) =>
          source.slice(0, at % (source.length + 1)) +
          extra +
          source.slice(at % (source.length + 1)),
      ),
  );
  fc.assert(
    fc.property(written, (source) => {
      try {
        parseExpression(source);
      } catch (error) {
        if (!(error instanceof ExpressionSyntaxError)) throw error;
        const line = source.split('\n')[error.line - 1] ?? '';
        expect(error.column).toBeGreaterThanOrEqual(1);
        expect(error.column).toBeLessThanOrEqual(line.length + 1);
        expect(error.message).toMatch(
          /expected|comparisons do not chain|equality is written|needs parentheses/,
        );
      }
    }),
    { numRuns: 1_000 },
  );
});
