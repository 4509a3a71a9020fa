import { describe, expect, test } from '@jest/globals';
import { ExpressionSyntaxError } from './nodes.js';
import { parseExpression } from './parse.js';

/** `line:column message` of the refusal. */
function refusalOf(source: string): string {
  try {
    parseExpression(source);
  } catch (error) {
    if (error instanceof ExpressionSyntaxError)
      return `${error.line}:${error.column} ${error.message}`;
    throw error;
  }
  throw new Error(`was read: ${source}`);
}

describe('parseExpression', () => {
  test.each([
    ['', '1:1 found the end, expected NOT, "(", a number, a string, true, false or null or a name'],
    ['1 2', '1:3 found "2", expected +, -, a comparison, AND, OR or the end'],
    ['true OR\n  false ANDY', '2:9 found "ANDY", expected +, -, a comparison, AND, OR or the end'],
    [
      'exists(user.properties.x',
      '1:25 found the end, expected ".", "[", +, -, a comparison, AND, OR, "," or ")"',
    ],
    ['user.properties["x"', '1:20 found the end, expected "]"'],
    [
      'AND true',
      '1:1 found "AND", expected NOT, "(", a number, a string, true, false or null or a name',
    ],
    ['true 😀', '1:6 found "😀", expected +, -, a comparison, AND, OR or the end'],
    ['1 < 2 < 3', '1:7 found "<", but comparisons do not chain: join two of them with AND'],
    ['user.properties.a = 1', '1:19 found "=", but equality is written =='],
    [
      '1 == NOT 2',
      '1:6 found NOT on the right side of an operator, where it needs parentheses, as in a == (NOT b)',
    ],
    [
      'now() - !true',
      '1:9 found NOT on the right side of an operator, where it needs parentheses, as in a == (NOT b)',
    ],
    [
      'plan == "pro"',
      '1:1 found the unknown name plan, expected user, group, a function with its arguments or a value',
    ],
    [
      'User.identifier',
      '1:1 found the unknown name User, expected user, group, a function with its arguments or a value',
    ],
    [
      '1 == 1 AND contains("a", "b")',
      '1:12 found the unknown function contains, expected one of includes, startsWith, endsWith, exists, length, lower, now, date, days, hours, minutes, matches, segment',
    ],
    [
      'user',
      '1:1 found user alone, expected user.identifier, user.properties, user.createdAt, user.updatedAt, user.events',
    ],
    [
      'group.plan',
      '1:7 found the unknown name "plan" of group, expected group.identifier, group.properties, group.createdAt, group.updatedAt',
    ],
    ['exists()', '1:1 found 0 arguments, expected exists(x)'],
    ['now(1)', '1:1 found 1 argument, expected now()'],
    ['includes(1, 2, 3)', '1:1 found 3 arguments, expected includes(collection, value)'],
    ['"abc', '1:1 found a string that is not closed, expected another "'],
    [
      String.raw`"a\q"`,
      String.raw`1:3 found the unknown escape \q, expected one of \" \' \\ \/ \b \f \n \r \t \uXXXX`,
    ],
    [String.raw`"\ud83d"`, '1:1 found half a surrogate pair in a string, expected both halves'],
    [
      String.raw`user.events["a\u0000b"].count > 0`,
      '1:13 found U+0000 in a string, expected text that a user can have',
    ],
    ['matches("a", lower("B"))', '1:14 expected the pattern of matches as a string in quotes'],
    [
      'matches("a", "(")',
      '1:14 expected a pattern in RE2 syntax, found error parsing regexp: missing closing ): `(`',
    ],
    [
      'matches("a",\n"(?=a)")',
      '2:1 expected a pattern in RE2 syntax, found error parsing regexp: invalid or unsupported Perl syntax: `(?=`',
    ],
    [
      `matches("a", "${'x'.repeat(501)}")`,
      '1:14 found a pattern of 501 characters, expected at most 500',
    ],
    [
      'matches("a", "(a?b?){1000}")',
      '1:14 found a pattern whose repetitions make it too large, expected smaller counts',
    ],
  ])('refuses %j, saying where, what was found and what is allowed (S31)', (source, refusal) => {
    expect(refusalOf(source)).toBe(refusal);
  });

  test.each([
    'True',
    'NULL',
    'user.properties.',
    'user.properties.1',
    'user.properties.a-b',
    'user.properties[-1]',
    'user.properties[01]',
    'user.properties[1.5]',
    'user.properties[user.identifier]',
    'user.properties[a]',
    'user[0]',
    'true.x',
    '"a".length',
    'now().x',
    '(user).identifier',
    '- 5',
    '+5',
    '-user.properties.n',
    '007',
    '.5',
    '1.',
    '1e',
    '0x10',
    '5days',
    '1_000',
    'NaN',
    '1 === 1',
    '1 <> 1',
    '1 & 1',
    '1 * 1',
    'true ANDtrue',
    'NOTtrue',
    '(true',
    'true)',
    '()',
    'exists(1,)',
    'exists(,1)',
    'Exists(1)',
    'constructor(1)',
    '__proto__',
    String.raw`"\x41"`,
    String.raw`"\u{41}"`,
    String.raw`"\u12"`,
    `"a'`,
    'true // note',
    'true;',
    'user.properties.a ? 1 : 2',
    `matches("a", 'a' + 'b')`,
  ])('refuses %j (S29)', (source) => {
    expect(() => parseExpression(source)).toThrow(ExpressionSyntaxError);
  });

  test('refuses sources too long or nested too deep, without reading them (S31)', () => {
    expect(parseExpression(`${' '.repeat(9_999)}1`)).toBeDefined();
    expect(refusalOf(`${' '.repeat(10_000)}1`)).toBe(
      '1:1 found 10001 characters, expected at most 10000',
    );
    expect(parseExpression(`${'('.repeat(100)}")("${')'.repeat(100)}`)).toBeDefined();
    expect(refusalOf(`true AND\n${'('.repeat(5_000)}`)).toBe(
      '2:101 found more than 100 parentheses inside one another, expected fewer',
    );
    expect(refusalOf(`${'exists('.repeat(101)}1${')'.repeat(101)}`)).toMatch(
      /^1:707 found more than 100 parentheses/,
    );
  });

  test.each([
    '!'.repeat(9_999),
    'NOT '.repeat(2_400),
    'true AND '.repeat(1_100),
    'true||'.repeat(1_660),
    '1-'.repeat(4_999),
    '1== 1 OR '.repeat(1_100),
  ])('chains as long as the source may be do not deepen the expression (S31)', (chain) => {
    const depth = (node: unknown): number =>
      typeof node === 'object' && node !== null
        ? 1 + Math.max(0, ...Object.values(node).map(depth))
        : 0;
    expect(depth(parseExpression(`${chain}1`))).toBeLessThan(12);
  });
});
