import { describe, expect, test } from '@jest/globals';
import { type Expression, parseExpression } from '../index.js';
import { expressions } from '@waymark/testing/generators';
import { fc } from '@waymark/testing/properties';
import { readRows } from './read-rows.js';
import { conditionWords } from './words.js';
import { COMPARISONS, type ComparisonName, type Part, type RowContent, UNITS } from './rows.js';
import {
  addPart,
  joinBy,
  putPart,
  readShown,
  removePart,
  showValue,
  writeMembership,
  writeRow,
} from './write-rows.js';

const names = fc.constantFrom('plan', 'and', 'NOT', 'any name', 'имя', '__proto__', 'true', '😀');
const texts = fc.oneof(
  fc.constantFrom('', 'pro', 'true', '12', '"', "it's", '\\', ' AND ', '(', '\n'),
  fc.string(),
);
const values = fc.oneof(
  texts,
  fc.integer(),
  fc.constantFrom(true, false, null, 0.5, -3, 1e21, 1e-7),
);

const contents: fc.Arbitrary<RowContent> = fc
  .record({
    root: fc.constantFrom('user' as const, 'group' as const),
    steps: fc.oneof(
      fc.constantFrom(['identifier'], ['createdAt']),
      fc
        .tuple(names, fc.constantFrom('count', 'first', 'last'))
        .map((steps) => ['events', ...steps]),
      fc
        .array(fc.oneof(names, fc.nat(9)), { minLength: 1, maxLength: 3 })
        .map((steps) => ['properties', ...steps]),
    ),
    comparison: fc.constantFrom(...(Object.keys(COMPARISONS) as ComparisonName[])),
    any: values,
    text: texts,
    length: fc.nat(1_000),
    unit: fc.constantFrom(...UNITS),
  })
  .map(({ root, steps, comparison, any, text, length, unit }): RowContent => {
    const isEvent = steps[0] === 'events';
    const about = { path: [isEvent ? 'user' : root, ...steps] as const, comparison };
    const { value } = COMPARISONS[comparison];
    if (value === 'none') return about;
    if (value === 'time') return { ...about, value: length, unit };
    return { ...about, value: value === 'text' ? text : any };
  })
  // A pattern that cannot be one is refused by the check, as it is where it is written.
  .filter(({ comparison }) => !comparison.endsWith('matches'));

const memberships = fc.record({ name: texts, isNot: fc.boolean() });
/** What one row says, as its text. */
const rows = fc.oneof(contents.map(writeRow), memberships.map(writeMembership));

/** What a condition means, wherever its parts stand in the text. */
function meaningOf(text: string): string {
  const { root }: Expression = parseExpression(text, 'any');
  return JSON.stringify(root, (key, value: unknown) =>
    key === 'range' || key === 'source' ? undefined : value,
  );
}

/** Every part written anew in its place, from the last to the first. */
function rewritten(text: string, part: Part): string {
  if (part.kind === 'row') return putPart(text, part, writeRow(part));
  if (part.kind === 'segment') return putPart(text, part, writeMembership(part));
  return part.kind === 'code' ? text : part.parts.reduceRight(rewritten, text);
}

/** The same without what only says where it stands. */
function bare(part: Part): unknown {
  if (part.kind === 'code') return 'code';
  if (part.kind === 'segment') return { name: part.name, isNot: part.isNot };
  if (part.kind === 'group') return { join: part.join, parts: part.parts.map(bare) };
  const { path, comparison, value, unit } = part;
  return {
    path,
    comparison,
    ...(value !== undefined && { value }),
    ...(unit !== undefined && { unit }),
  };
}

describe('conditions as rows (T15)', () => {
  test('what rows say is written and read back as the same rows', () => {
    fc.assert(
      fc.property(contents, (content) => {
        const text = writeRow(content);
        const whole = readRows(text)!;
        expect(whole.parts.map(bare)).toEqual([content]);
        expect(rewritten(text, whole)).toBe(text);
      }),
    );
  });

  test('whether a user is in a segment is written and read back as the same row (Z6)', () => {
    fc.assert(
      fc.property(memberships, (membership) => {
        const text = writeMembership(membership);
        const whole = readRows(text)!;
        expect(whole.parts.map(bare)).toEqual([membership]);
        expect(rewritten(text, whole)).toBe(text);
      }),
    );
  });

  test('any condition can be shown, and rows mean what the language means by their text', () => {
    fc.assert(
      fc.property(fc.oneof(expressions, rows), expressions, (left, right) => {
        for (const text of [left, `${left}  or\n(${right} && ${left})`]) {
          if (!isCondition(text)) continue;
          const whole = readRows(text)!;
          expect(meaningOf(rewritten(text, whole))).toBe(meaningOf(text));
        }
      }),
    );
  });

  test('a change of one row leaves every other character as it was', () => {
    fc.assert(
      fc.property(rows, rows, expressions, (first, next, other) => {
        const text = `${first}  &&\n  (${other})`;
        if (!isCondition(text)) return;
        const [row] = readRows(text)!.parts;
        expect(putPart(text, row!, next)).toBe(`${next}  &&\n  (${other})`);
      }),
    );
  });

  test('what is added is taken away again without a trace', () => {
    fc.assert(
      fc.property(expressions, rows, (text, row) => {
        if (!isCondition(text)) return;
        const more = addPart(text, readRows(text)!, row);
        const whole = readRows(more)!;
        const { kind, from, to } = whole.parts.at(-1)!;
        expect([kind === 'code', more.slice(from, to)]).toEqual([false, row]);
        expect(removePart(more, whole, whole.parts.at(-1)!)).toBe(text);
      }),
    );
  });

  test.each([
    ['user.properties.a AND user.properties.b', 'user.properties.a OR user.properties.b'],
    [
      'user.properties.a && user.properties.b || exists(user.properties.c)',
      '(user.properties.a && user.properties.b) AND exists(user.properties.c)',
    ],
  ])('%s is joined otherwise', (before, after) => {
    const whole = readRows(before)!;
    expect(joinBy(before, whole, whole.join === 'and' ? 'or' : 'and')).toBe(after);
  });

  test.each(['', 'a AND', '(a', 'a)', 'a # b', 'OR'])('%j is shown as text alone', (text) =>
    expect(readRows(text)).toBeUndefined(),
  );

  test.each([
    ['user.properties.plan == "pro"', 'plan is pro'],
    ['NOT user.properties.activated', 'activated is not yes'],
    ['includes(user.properties.roles, "Admin")', 'roles contains Admin'],
    ['user.createdAt > now() - days(14)', 'first identified is within the last 14 days'],
    ['NOT segment("pro-admins")', 'is not in the segment pro-admins'],
    [
      '(user.properties.a == 1) AND (group.properties.b == "x" || user.events["Signed up"].count >= 2)',
      'a is 1 and (group: b is x or Signed up: times done is at least 2)',
    ],
    [
      'user.properties.city == "New York" AND user.properties.to != "" OR user.properties["a\\n"] == "true"',
      '(city is "New York" and to is not "") or "a\\n" is "true"',
    ],
  ])('%s is %s in one line', (text, words) => expect(conditionWords(text)).toBe(words));

  test('a condition with a part that rows cannot say has no words', () => {
    const code = 'user.properties.a + 1 > 2';
    expect(readRows(code)?.parts).toMatchObject([{ kind: 'code' }]);
    for (const text of [code, `user.properties.b AND (${code} OR user.properties.c)`, 'a AND'])
      expect(conditionWords(text)).toBeUndefined();
  });

  test('what is typed as a value is what stands there afterwards', () => {
    fc.assert(fc.property(values, (value) => expect(readShown(showValue(value))).toBe(value)));
  });
});

function isCondition(text: string): boolean {
  try {
    parseExpression(text, 'any');
    return true;
  } catch {
    return false;
  }
}
