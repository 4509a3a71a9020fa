import { describe, expect, test } from '@jest/globals';
import { expressions } from '@waymark/testing/generators';
import { fc } from '@waymark/testing/properties';
import { compile } from '../../engine/index.js';
import { parseExpression } from '../../targeting/index.js';
import { assignUids } from '../../flows/draft/assign-uids.js';
import { parseFlowFile } from '../read/parse-flow-file.js';
import { formatSegmentsFile, parseSegmentsFile } from './segments-file.js';

const PRO = 'user.properties.plan == "pro"';

function isCondition(text: string): boolean {
  try {
    parseExpression(text);
    return true;
  } catch {
    return false;
  }
}

const problemsOf = (text: string) =>
  parseSegmentsFile(text, { file: 's' }).problems.map(
    ({ line, column, code, message }) => `${line}:${column} ${code} ${message}`,
  );

describe('the file of segments', () => {
  test('is read, and written so that it is read again as the same (Z6)', () => {
    const text = `segments:
  pro: user.properties.plan == "pro"
  "007": |
    segment("pro") AND
    user.properties["a: b"] == 'it''s'
`.replace("it''s", "it\\'s");
    const { content: segments, problems } = parseSegmentsFile(text, { file: 's' });
    expect(problems).toEqual([]);
    expect(Object.keys(segments!).sort()).toEqual(['007', 'pro']);
    expect(parseSegmentsFile(formatSegmentsFile(segments!), { file: 's' }).content).toEqual(
      segments,
    );
    expect(formatSegmentsFile({ pro: PRO })).toBe(`segments:\n  pro: ${PRO}\n`);
    expect(formatSegmentsFile({})).toBe('segments: {}\n');
  });

  test('says any condition so that it is read as the same (Z6)', () => {
    fc.assert(
      fc.property(expressions, (condition) => {
        const file = formatSegmentsFile({ one: condition });
        fc.pre(isCondition(condition));
        expect(parseSegmentsFile(file, { file: 's' }).content).toEqual({ one: condition });
      }),
    );
  });

  test('is refused where a small file mentions more than can be read soon (Z6)', () => {
    const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);
    const large = `true${' OR user.properties.plan == "pro"'.repeat(270)}`;
    const many = (count: number) =>
      `segments:\n  large: ${large}\n${numbers(count)
        .map((number) => `  s${number}: segment("large")\n`)
        .join('')}`;
    expect(problemsOf(many(50))).toEqual([]);
    expect(problemsOf(many(900))).toEqual([
      expect.stringMatching(/segment.too-long segments have at most 1,000,000 characters together/),
    ]);
    const chain = `segments:\n  s0: 'true'\n${numbers(900)
      .map((number) => `  s${number + 1}: segment("s${number}")\n`)
      .join('')}`;
    expect(problemsOf(chain).filter((problem) => /found/.test(problem)).length).toBeLessThan(150);
  });

  test('is refused with all that is wrong with it, and where (Z6)', () => {
    expect(
      problemsOf(`segments:
  a b: 'true'
  unread: 'true AND  plan'
  unknown: segment("nobody")
  listed: [1]
`),
    ).toEqual([
      expect.stringMatching(/^2:3 segment.bad-name "a b" cannot name a segment/),
      expect.stringMatching(/^3:22 expression.syntax found the unknown name plan/),
      '4:12 expression.syntax found the unknown segment "nobody", expected one of a b, unread, unknown, listed',
      expect.stringMatching(/^5:11 value.not-text/),
    ]);
    expect(problemsOf('{}')[0]).toMatch(/^1:1 key.missing/);
    expect(problemsOf('')).toEqual([
      '1:1 file.empty the file is empty; it needs at least the one key that holds everything',
    ]);
    expect(problemsOf(`segments: { a: "${'x'.repeat(600_000)}" }`)).toEqual([
      '1:1 file.too-long the file has 600,019 characters, more than 524,288; leave out what no flow mentions',
    ]);
  });

  test('is refused where a segment leads back to itself (Z6)', () => {
    expect(
      problemsOf('segments:\n  a: segment("b")\n  b: NOT segment("a")\n  c: "true"\n'),
    ).toEqual([
      '2:6 expression.syntax segment "b" leads back to itself: b, a, b',
      '3:10 expression.syntax segment "a" leads back to itself: a, b, a',
    ]);
  });
});

describe('segments in a flow file', () => {
  const parse = (when: string, segments?: Record<string, string>) =>
    parseFlowFile(
      `flow: f\ntarget: { users: matching, when: '${when}' }\nstart: a\nblocks:\n  a: { type: branch, when: segment("role"), paths: { true: b, false: finish } }\n  b: { type: card, done: segment("ready"), paths: { complete: finish } }\n`,
      { file: 'f', ...(segments && { known: { segments } }) },
    );
  const SEGMENTS = {
    role: 'segment("admin")',
    admin: 'true',
    ready: 'now() > now()',
    other: 'true',
  };

  test('make it a flow of format 2 with the texts that it uses, where these are known (Z6, R17)', () => {
    const { draft, problems } = parse('segment("admin")', SEGMENTS);
    expect(problems).toEqual([]);
    expect(draft).toMatchObject({
      format: 2,
      segments: { admin: 'true', ready: 'now() > now()', role: 'segment("admin")' },
    });
    expect(draft!.segments).not.toHaveProperty('other');
    expect(parse('true').draft).not.toHaveProperty('segments');
    let made = 0;
    const { definition } = assignUids(draft!, [], () => `u${made++}`);
    expect(compile(definition).done.map(({ when }) => when.source)).toEqual(['(now() > now())']);
  });

  test('are refused where there is none of that name (Z6)', () => {
    const told = parse('true AND segment("adm")', SEGMENTS).problems;
    expect(told).toMatchObject([
      {
        line: 2,
        column: 44,
        code: 'expression.syntax',
        message: 'found the unknown segment "adm", expected one of role, admin, ready, other',
      },
    ]);
  });
});
