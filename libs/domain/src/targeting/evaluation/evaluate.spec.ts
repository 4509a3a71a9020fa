import { describe, expect, test } from '@jest/globals';
import type { Json } from '../json/json.js';
import type { Context } from './context.js';
import { evaluate, evaluateCondition } from './evaluate.js';
import { parseExpression } from '../language/parse.js';
import { Duration, Moment, type Value } from '../values/value.js';

const DAY = 24 * 3_600_000;
const NOW = Date.UTC(2024, 5, 15, 12);

const context: Context = {
  now: NOW,
  user: {
    identifier: 'ada@acme.test',
    properties: JSON.parse(
      String.raw`{
        "plan": "pro", "seats": 5, "zero": 0, "empty": "", "nothing": null, "off": false, "on": true,
        "roles": ["Admin", "Editor", {"in": "EU", "of": [1, 2]}],
        "and": {"NOT": {"null": "keywords"}}, "имя": "Ада", "नाम": "अदा", "$cost_1": 3, "any name": 1, "a\"b": 2, "": 3,
        "list": [], "object": {}, "__proto__": "own", "trialEnds": "2024-06-20", "0": "key", "emoji": "a😀b"
      }`,
    ),
    createdAt: NOW - 10 * DAY,
    updatedAt: NOW - DAY,
  },
  group: {
    identifier: 'acme',
    properties: { seats: 20 },
    createdAt: NOW - 99 * DAY,
    updatedAt: NOW,
  },
};

const valueOf = (source: string, within: Context = context) =>
  evaluate(parseExpression(source), within);

describe('paths', () => {
  test.each<[string, Value]>([
    ['user.identifier', 'ada@acme.test'],
    ['user["properties"]["plan"]', 'pro'],
    ["user.properties['plan']", 'pro'],
    [' user . properties [ "plan" ] ', 'pro'],
    ['group.identifier', 'acme'],
    ['group.properties.seats', 20],
    ['user.properties.and.NOT.null', 'keywords'],
    ['user.properties.имя', 'Ада'],
    ['user.properties.नाम', 'अदा'],
    ['user.properties.$cost_1', 3],
    ['user.properties["any name"]', 1],
    [String.raw`user.properties["a\"b"]`, 2],
    ['user.properties[""]', 3],
    ['user.properties.roles[0]', 'Admin'],
    ['user.properties.roles[2].of[1]', 2],
    ['user.properties.roles[2]["in"]', 'EU'],
    ['user.properties.__proto__', 'own'],
    ['user.properties["0"]', 'key'],
    ['user.createdAt', new Moment(NOW - 10 * DAY)],
    ['group.updatedAt', new Moment(NOW)],
  ])('%s is found (S29)', (source, value) => {
    expect(valueOf(source)).toEqual(value);
  });

  test.each([
    'user.properties.missing',
    'user.properties.missing.deeper[0]',
    'user.properties.Plan',
    'user.properties.plan.length',
    'user.properties.roles.length',
    'user.properties.roles["0"]',
    'user.properties.roles[3]',
    'user.properties.roles[99999999999999999999]',
    'user.properties[0]',
    'user.properties.plan[0]',
    'user.properties.constructor',
    'user.properties.object.toString',
    'user.properties.object.__proto__',
    'user.identifier.length',
    'user.createdAt.milliseconds',
    'user.properties.nothing',
  ])('%s is missing (S29)', (source) => {
    expect(valueOf(source)).toBeNull();
  });

  test('without a group everything of it is missing (S29)', () => {
    for (const source of [
      'group.identifier',
      'group.properties',
      'group.properties.seats',
      'group.createdAt',
    ]) {
      expect(valueOf(source, { ...context, group: null })).toBeNull();
    }
  });
});

describe('what the user did', () => {
  const events = { Invited: { count: 3, first: NOW - 2 * DAY, last: NOW } };
  const active = { ...context, user: { ...context.user, events } };

  test.each<[string, Value]>([
    ['user.events["Invited"].count', 3],
    ['user.events.Invited["first"]', new Moment(NOW - 2 * DAY)],
    ['user.events.Invited.last == now()', true],
    ['user.events["Never"].count', 0],
    ['user.events["Never"].first', null],
    ['user.events.constructor.count == 0 AND user.events.__proto__.last == null', true],
  ])('%s is %j (Z2)', (source, value) => {
    expect(valueOf(source, active)).toEqual(value);
  });

  test.each([
    'user.events',
    'user.events.Invited',
    'user.events[0].count',
    'user.events.Invited.often',
    'user.events.Invited.count.more',
    'group.events.Invited.count',
  ])('%s is refused (Z2)', (source) => {
    expect(() => parseExpression(source)).toThrow(/^found .*expected/);
  });

  test('an expression knows which it looks at (Z2)', () => {
    const source = 'user.events.A.count > 1 OR NOT (user.events["b c"].last > user.events.A.first)';
    expect(parseExpression(source).events).toEqual(['A', 'b c']);
    expect(parseExpression('user.properties.events == "user.events.A.count"').events).toEqual([]);
  });
});

describe('literals', () => {
  test.each<[string, Value]>([
    ['true', true],
    ['false', false],
    ['null', null],
    ['0', 0],
    ['-12.5e-1', -1.25],
    ['1E3', 1000],
    ['9007199254740993', 9007199254740992],
    ['"it\'s"', "it's"],
    [`'say "hi"'`, 'say "hi"'],
    [String.raw`'it\'s'`, "it's"],
    [String.raw`"\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00"`, '"\\/\b\f\n\r\té😀'],
    ['"two\nlines"', 'two\nlines'],
  ])('%s is a literal (S29)', (source, value) => {
    expect(valueOf(source)).toEqual(value);
  });
});

describe('precedence', () => {
  test.each([
    ['true OR true AND false', true],
    ['(true OR true) AND false', false],
    ['NOT false AND false', false],
    ['NOT 1 == 2', true],
    ['(NOT 1) == 2', false],
    ['NOT true OR true', true],
    ['!false && true || false', true],
    ['not false == 1', true],
    ['true And not false', true],
    ['true aNd true oR false', true],
    ['NOT NOT "text"', true],
    ['!!!0', true],
    ['now() - days(1) < now()', true],
    ['now() < now() + days(1)', true],
    ['(1 == 1) == true', true],
    ['(1 == 2) == (NOT true)', true],
    ['exists(1 == 2)', true],
    ['length("a" + "b") == null', true],
    ['includes(user.properties.roles, "None" OR "Admin") == false', true],
  ])('%s is %s (S29)', (source, value) => {
    expect(valueOf(source)).toBe(value);
  });
});

describe('conditions', () => {
  test.each([
    ['true', true],
    ['user.properties.plan', true],
    ['-1', true],
    ['user.properties.list', true],
    ['user.properties.object', true],
    ['date("1970-01-01")', true],
    ['days(0)', true],
    ['false', false],
    ['null', false],
    ['0', false],
    ['-0', false],
    ['""', false],
    ['user.properties.missing', false],
    ['user.properties.nothing', false],
    ['NOT user.properties.list', false],
  ])('the bare value %s holds: %s, as in JavaScript (S29)', (source, holds) => {
    expect(evaluateCondition(parseExpression(source), context)).toBe(holds);
  });

  test.each<[string, Value]>([
    ['user.properties.plan AND user.properties.seats', true],
    ['user.properties.zero OR user.properties.plan', true],
    ['user.properties.zero OR user.properties.empty', false],
    ['NOT user.properties.plan', false],
  ])('%s as a value is the boolean %s (S29)', (source, value) => {
    expect(valueOf(source)).toBe(value);
  });
});

describe('comparisons', () => {
  test.each([
    ['null == null', true],
    ['user.properties.missing == null', true],
    ['user.properties.nothing == user.properties.missing', true],
    ['null != null', false],
    ['null == false', false],
    ['null != 0', true],
    ['null <= null', false],
    ['null < 1', false],
    ['null > 1', false],
    ['NOT user.properties.missing > 1', true],
    ['1 == "1"', false],
    ['"10" < 9', false],
    ['true == 1', false],
    ['true > false', false],
    ['1 <= 1', true],
    ['2 >= 3', false],
    ['-1 < 0', true],
    ['"a" < "b"', true],
    ['"Z" < "a"', true],
    ['"a" < "ab"', true],
    ['"\uffff" < "😀"', true],
    ['days(1) == hours(24)', true],
    ['days(1) > minutes(1439)', true],
    ['days(1) > 1', false],
    ['user.createdAt < user.updatedAt', true],
    ['user.createdAt == "2024-06-05T14:00+02:00"', true],
    ['"2024-06-05" < user.createdAt', true],
    ['user.properties.trialEnds > now()', true],
    ['"2024-06-20" == "2024-06-20T00:00Z"', false],
    ['user.createdAt == "yesterday"', false],
    ['user.createdAt > 5', false],
    ['user.properties.list == user.properties.list', true],
    ['user.properties.list <= user.properties.list', false],
    ['user.properties.roles != user.properties.list', true],
    ['user.properties.object == user.properties.list', false],
  ])('%s is %s (S31)', (source, value) => {
    expect(valueOf(source)).toBe(value);
  });
});

describe('functions', () => {
  test.each<[string, Value]>([
    ['includes(user.properties.roles, "Admin")', true],
    ['includes(user.properties.roles, "admin")', false],
    ['includes(user.properties.roles, user.properties.roles[2])', true],
    ['includes(user.properties.roles, null)', false],
    ['includes("waymark", "mark")', true],
    ['includes("waymark", "")', true],
    ['includes("5", 5)', false],
    ['includes(user.properties.object, "a")', false],
    ['includes(null, null)', false],
    ['startsWith("waymark", "way")', true],
    ['startsWith("waymark", "mark")', false],
    ['startsWith(null, "")', false],
    ['endsWith("waymark", "mark")', true],
    ['endsWith("waymark", "way")', false],
    ['endsWith(5, "5")', false],
    ['matches(user.identifier, "@acme\\\\.test$")', true],
    ['matches(user.identifier, "^acme")', false],
    ['matches(user.identifier, "acme")', true],
    ['matches("😀", "^.$")', true],
    ['matches("ADA", "(?i)ada")', true],
    ['matches(5, "5")', false],
    ['matches(null, "")', false],
    [`matches("x", "${'x?'.repeat(250)}")`, true],
    [`matches("x", "${'😀?'.repeat(250)}")`, true],
    ['matches("x", "x{1,1000}")', true],
    ['exists(user.properties.zero)', true],
    ['exists(user.properties.off)', true],
    ['exists(user.properties.nothing)', false],
    ['exists(user.properties.missing)', false],
    ['length(user.properties.roles)', 3],
    ['length(user.properties.emoji)', 3],
    ['length("")', 0],
    ['length(user.properties.object)', null],
    ['length(5)', null],
    ['lower("ÀB")', 'àb'],
    ['lower(5)', null],
    ['now()', new Moment(NOW)],
    ['now() == now()', true],
    ['date("2024-06-15T12:00")', new Moment(NOW)],
    ['date(user.properties.trialEnds)', new Moment(Date.UTC(2024, 5, 20))],
    ['date(now())', new Moment(NOW)],
    ['date("2024-02-30")', null],
    ['date(0)', null],
    ['date(null)', null],
    ['days(2)', new Duration(2 * DAY)],
    ['hours(-1)', new Duration(-3_600_000)],
    ['minutes(0.5)', new Duration(30_000)],
    ['days("1")', null],
    ['days(null)', null],
    ['days(1e308)', null],
  ])('%s is %j (S30)', (source, value) => {
    expect(valueOf(source)).toEqual(value);
  });
});

describe('matches', () => {
  const of = (text: string): Context => ({
    ...context,
    user: { ...context.user, properties: { text } },
  });
  const matching = (pattern: string) => `matches(user.properties.text, "${pattern}")`;

  test('takes no longer for a hostile text than its steps allow, and is false then (S30)', () => {
    const hostile = '([a-z]{1,100}){5}[0-9]';
    expect(valueOf(matching(hostile), of('abcde1'))).toBe(true);
    expect(valueOf(matching(hostile), of(`${'abc'.repeat(300_000)}1`))).toBe(false);
  });

  test('looks through the longest properties for what is simple', () => {
    expect(valueOf(matching('b$'), of(`${'a'.repeat(1_000_000)}b`))).toBe(true);
  });

  test('shares the steps among all patterns of an expression, each counted once (S30)', () => {
    const text = of(`${'a'.repeat(50_000)}b`);
    const sized = (count: number) =>
      valueOf(Array(count).fill(matching('a{1,16}b')).join(' AND '), text);
    expect([1, 5, 6].map(sized)).toEqual([true, true, false]);
  });
});

describe('sums', () => {
  test.each<[string, Value]>([
    ['now() + days(1)', new Moment(NOW + DAY)],
    ['now() - days(1) - hours(1)', new Moment(NOW - DAY - 3_600_000)],
    ['now() - user.createdAt', new Duration(10 * DAY)],
    ['days(1) + hours(2)', new Duration(26 * 3_600_000)],
    ['days(1) - hours(2)', new Duration(22 * 3_600_000)],
    ['now() - (now() - days(1))', new Duration(DAY)],
    ['now() + now()', null],
    ['days(1) + now()', new Moment(NOW + DAY)],
    ['days(1) - now()', null],
    ['now() - "2024-01-01"', null],
    ['"2024-01-01" + days(1)', null],
    ['now() + 1', null],
    ['1 + 2', null],
    ['3 -2', null],
    ['3--2', null],
    ['"a" + "b"', null],
    ['null + days(1)', null],
    ['now() + null', null],
  ])('%s is %j (S30)', (source, value) => {
    expect(valueOf(source)).toEqual(value);
  });

  test('the example of the rule holds for a young user who has not activated (S30)', () => {
    expect(valueOf('user.createdAt > now() - days(14) AND NOT user.properties.activated')).toBe(
      true,
    );
    expect(valueOf('user.createdAt > now() - days(9) AND NOT user.properties.activated')).toBe(
      false,
    );
  });
});

describe('without a named group', () => {
  const group = (identifier: string, properties: Record<string, Json>) => ({
    identifier,
    properties,
    createdAt: NOW,
    updatedAt: NOW,
  });
  const member = {
    ...context,
    group: null,
    groups: [group('acme', { seats: 5, on: true }), group('bolt', { seats: 50, on: false })],
  };

  test.each<[string, boolean]>([
    ['group.properties.seats > 10', true],
    ['group.properties.seats < 10', true],
    ['group.properties.seats > 10 AND group.properties.on', false],
    ['group.properties.seats > 10 AND NOT group.properties.on', true],
    ['NOT group.properties.on', true],
    ['NOT exists(group.identifier)', false],
    ['group.identifier == "cord"', false],
    ['user.properties.on', true],
  ])('%s holds if it holds for one group of the user throughout: %j (S33)', (source, holds) => {
    expect(evaluateCondition(parseExpression(source), member)).toBe(holds);
    expect(Boolean(valueOf(source, member))).toBe(holds);
  });

  test('a value is that of the first group it holds for, in their order, else of the first (S33)', () => {
    expect(valueOf('group.identifier', member)).toBe('acme');
    expect(valueOf('group.properties.seats', member)).toBe(5);
    expect(valueOf('group.properties.nothing', member)).toBeNull();
    expect(valueOf('length(group.properties.nothing)', member)).toBeNull();
  });

  test('a named group counts alone, and a user without groups has none (S33)', () => {
    const source = 'group.properties.seats > 10';
    expect(valueOf(source, { ...member, group: group('other', { seats: 1 }) })).toBe(false);
    expect(valueOf('group.identifier', { ...member, groups: [] })).toBeNull();
  });

  test.each<[string, boolean]>([
    ['group.identifier', true],
    ['user.properties.group', false],
    ['"group.identifier" == user.identifier', false],
    ['NOT (length(lower(group.properties.a)) > 1 OR matches(user.identifier, "a"))', true],
    ['now() - days(1) < group.createdAt', true],
    ['matches(group.identifier, "a")', true],
  ])('%s mentions group: %j (S33)', (source, mentions) => {
    expect(parseExpression(source).mentionsGroup).toBe(mentions);
  });
});
