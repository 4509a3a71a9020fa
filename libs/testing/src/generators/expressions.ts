import fc from 'fast-check';
import { COMPARISONS, type Context, FUNCTIONS, type Subject } from '@waymark/domain/targeting';

const names = ['a', 'b', 'length', 'constructor', '__proto__', 'and', 'имя'];
const texts = ['', 'a', 'Admin', '2024-01-01', '2024-02-30', '😀', '\uffff', "it's", '(', '\u0001'];

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
/** What a condition may be evaluated for. */
export const expressionContexts: fc.Arbitrary<Context> = fc.record({
  now: fc.integer(),
  user: subject,
  group: fc.option(subject),
});

/** Sources of expressions of every kind, nested a few levels deep. */
export const { expression: expressions } = fc.letrec<{ expression: string }>((tie) => {
  const inner = tie('expression');
  const joined = (sign: string) =>
    fc.tuple(inner, inner).map(([left, right]) => `(${left}) ${sign} (${right})`);
  const called = (name: string, arity: number) =>
    fc
      .tuple(...Array.from({ length: arity }, () => inner))
      .map((args) => `${name}(${args.join(', ')})`);
  const path = fc
    .tuple(
      fc.constantFrom('user', 'group'),
      fc.constantFrom('properties', 'identifier', 'createdAt'),
      fc.array(fc.constantFrom(...names.map((name) => `.${name}`), '[0]', '["any name"]'), {
        maxLength: 3,
      }),
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
      fc.oneof(...['AND', 'or', ...COMPARISONS, '+', '-'].map(joined)),
      fc.oneof(...[...FUNCTIONS].map(([name, { parameters }]) => called(name, parameters.length))),
      inner.map((operand) => `NOT (${operand})`),
      inner.map((operand) => `matches(${operand}, "^(a|b)*.$")`),
    ),
  };
});
