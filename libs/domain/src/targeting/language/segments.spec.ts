import { describe, expect, test } from '@jest/globals';
import type { Context } from '../evaluation/context.js';
import { evaluateCondition } from '../evaluation/evaluate.js';
import { ExpressionSyntaxError } from './nodes.js';
import { expandSegments, parseExpression, type SegmentTexts } from './parse.js';

const TEXTS = {
  pro: 'user.properties.plan == "pro"\n',
  admins: 'user.properties.role == "admin" OR user.identifier == "root"',
  'pro-admins': 'segment("pro") AND segment("admins")',
  invited: 'user.events["Invited"].count > 0 AND group.properties.open',
};

function refusalOf(source: string, texts: SegmentTexts): string {
  try {
    parseExpression(source, texts);
  } catch (error) {
    if (error instanceof ExpressionSyntaxError)
      return `${error.line}:${error.column} ${error.message}`;
    throw error;
  }
  throw new Error(`was read: ${source}`);
}

describe('segments in conditions', () => {
  test('stand for their texts as if these had parentheses, also within one another (Z6)', () => {
    expect(expandSegments('NOT segment("pro-admins")  OR\n segment( "pro" )== true', TEXTS)).toBe(
      'NOT ((user.properties.plan == "pro"\n) AND (user.properties.role == "admin" OR user.identifier == "root"))  OR\n (user.properties.plan == "pro"\n)== true',
    );
    const holds = (plan: string, role: string) => {
      const user = { identifier: 'ada', properties: { plan, role }, createdAt: 0, updatedAt: 0 };
      const context: Context = { now: 0, user, group: null };
      return evaluateCondition(parseExpression('segment("pro-admins")', TEXTS), context);
    };
    expect([holds('pro', 'admin'), holds('free', 'admin'), holds('pro', 'guest')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('bring the events and groups that they look at (Z6, Z2, S33)', () => {
    expect(parseExpression('segment("invited")', TEXTS)).toMatchObject({
      events: ['Invited'],
      mentionsGroup: true,
      segments: [],
    });
    expect(parseExpression('segment("invited") OR segment("pro")', 'any').segments).toEqual([
      'invited',
      'pro',
    ]);
  });

  test('leave every condition without them as it is (Z6)', () => {
    const source = 'user.properties.segment == "segment(\\"pro\\")"';
    expect(expandSegments(source, {})).toBe(source);
    expect(parseExpression(source)).toEqual(parseExpression(source, TEXTS));
  });

  test.each<[string, SegmentTexts, string]>([
    [
      '1 == 1 AND\n segment("prp")',
      TEXTS,
      '2:2 found the unknown segment "prp", expected one of pro, admins, pro-admins, invited',
    ],
    [
      'segment("constructor")',
      {},
      '1:1 found the unknown segment "constructor", and there are no segments',
    ],
    ['segment(user.identifier)', TEXTS, '1:9 expected the name of a segment as a string in quotes'],
    ['segment()', TEXTS, '1:1 found 0 arguments, expected segment("name")'],
    [
      'segment("a")',
      { a: 'segment("b")', b: 'NOT segment("a")' },
      '1:1 segment "a" leads back to itself: a, b, a',
    ],
    [
      'segment("a")',
      { a: 'true) OR (true' },
      '1:1 found ")", expected +, -, a comparison, AND, OR or the end',
    ],
    [
      'true AND segment("a")',
      { a: `"${'x'.repeat(9_990)}" == ""` },
      '1:10 with its segments in their place: found 10009 characters, expected at most 10000',
    ],
  ])('%s is refused where it stands (Z6)', (source, texts, refusal) => {
    expect(refusalOf(source, texts)).toBe(refusal);
  });

  test('neither many nor deep ones take long (Z6)', () => {
    const doubled = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [
        `s${index}`,
        index === 499 ? 'true' : `segment("s${index + 1}") OR segment("s${index + 1}")`,
      ]),
    );
    const chained = Object.fromEntries(
      Object.keys(doubled).map((name, index) => [
        name,
        index === 499 ? 'true' : `segment("s${index + 1}")`,
      ]),
    );
    expect(refusalOf('segment("s0")', doubled)).toMatch(/too many segments in one another/);
    expect(refusalOf('segment("s0")', chained)).toMatch(/too many segments in one another/);
    expect(refusalOf('segment("s300")', doubled)).toMatch(/too many segments/);
  });
});
