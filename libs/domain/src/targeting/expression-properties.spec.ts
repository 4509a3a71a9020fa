import { expect, test } from '@jest/globals';
import { fc } from '@waymark/testing/properties';
import type { Context, Subject } from './context.js';
import { ExpressionSyntaxError } from './errors.js';
import { evaluate, evaluateCondition } from './evaluate.js';
import { parseExpression } from './parse.js';
import { Duration, Moment } from './value.js';

const names = ['a', 'b', 'length', 'constructor', '__proto__', 'and', 'имя'];
const texts = ['', 'a', 'Admin', '2024-01-01', '2024-02-30', '😀', '\uffff', "it's", '(', '\u0000'];

const properties = fc.dictionary(
  fc.constantFrom(...names),
  fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom(...texts)),
) as fc.Arbitrary<Subject['properties']>;
const subject: fc.Arbitrary<Subject> = fc.record({
  identifier: fc.constantFrom(...texts),
  properties,
  createdAt: fc.integer(),
  updatedAt: fc.integer(),
});
const context: fc.Arbitrary<Context> = fc.record({ now: fc.integer(), user: subject, group: fc.option(subject) });

const { expression } = fc.letrec<{ expression: string }>((tie) => {
  const inner = tie('expression');
  const joined = (sign: string) => fc.tuple(inner, inner).map(([left, right]) => `(${left}) ${sign} (${right})`);
  const called = (name: string, arity: number) =>
    fc.tuple(...Array.from({ length: arity }, () => inner)).map((args) => `${name}(${args.join(', ')})`);
  const path = fc
    .tuple(
      fc.constantFrom('user', 'group'),
      fc.constantFrom('properties', 'identifier', 'createdAt'),
      fc.array(fc.constantFrom(...names.map((name) => `.${name}`), '[0]', '["any name"]'), { maxLength: 3 }),
    )
    .map(([root, name, steps]) => `${root}.${name}${steps.join('')}`);
  return {
    expression: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      fc.oneof(
        path,
        fc.constantFrom(...texts).map((text) => JSON.stringify(text)),
        fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => JSON.stringify(number)),
        fc.constantFrom('true', 'null', 'now()'),
      ),
      fc.oneof(...['AND', 'or', '==', '!=', '<', '>=', '+', '-'].map(joined)),
      fc.oneof(
        called('includes', 2),
        called('startsWith', 2),
        called('exists', 1),
        called('length', 1),
        called('lower', 1),
        called('date', 1),
        called('days', 1),
      ),
      inner.map((operand) => `NOT (${operand})`),
      inner.map((operand) => `matches(${operand}, "^(a|b)*.$")`),
    ),
  };
});

test('every expression gives a value for every context, never an error, and never what is not a number (S31)', () => {
  fc.assert(
    fc.property(expression, context, (source, within) => {
      const value = evaluate(parseExpression(source), within);
      const measure = value instanceof Moment || value instanceof Duration ? value.milliseconds : value;
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
      .map(([source, at, extra]) => source.slice(0, at % (source.length + 1)) + extra + source.slice(at % (source.length + 1))),
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
        expect(error.message).toMatch(/expected|comparisons do not chain|equality is written|needs parentheses/);
      }
    }),
    { numRuns: 1_000 },
  );
});
