import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectDocumented } from '@waymark/testing/services';
import { IdentifyFixture } from './identify-fixture.js';

let fixture: IdentifyFixture;
let before: unknown;

beforeAll(async () => {
  fixture = await IdentifyFixture.open();
  await fixture.post('/identify', {
    identifier: 'neighbour',
    properties: { untouched: true },
    groups: [{ identifier: 'neighbours' }],
  });
  before = await fixture.fingerprint();
});
afterAll(() => fixture.close());

const nested = (levels: number, inner = '1') => '['.repeat(levels) + inner + ']'.repeat(levels);
/**
 * Where something bad may stand: each is a request that would be accepted with `1` in its place.
 */
const PLACES: [path: string, body: (bad: string) => string][] = [
  ['/identify', (bad) => `{"identifier":"x","properties":{"a":${bad}}}`],
  ['/identify', (bad) => `{"identifier":"x","ignored":${bad}}`],
  [
    '/identify',
    (bad) => `{"identifier":"x","groups":[{"identifier":"x","properties":{"a":${bad}}}]}`,
  ],
  ['/identify/group', (bad) => `{"identifier":"x","properties":{"a":{"b":[${bad}]}}}`],
  ['/identify/batch', (bad) => `[{"identifier":"y"},{"identifier":"x","properties":{"a":${bad}}}]`],
  ['/identify/segment', (bad) => `{"type":"identify","userId":"x","traits":{"a":${bad}}}`],
  ['/identify/x', (bad) => `{"a":${bad}}`],
];

const BAD_VALUES: [what: string, json: string, details: string][] = [
  ['U+0000', '"a\\u0000b"', 'U+0000'],
  ['U+0000 in a key', '{"\\u0000":1}', 'U+0000'],
  ['a lone high surrogate', '"\\ud83d"', 'a lone surrogate'],
  ['a lone low surrogate in a key', '{"\\ude00":1}', 'a lone surrogate'],
  ['65 levels of nesting', nested(65), 'deeper than 64 levels'],
  ['5,000 levels of nesting', nested(5_000), 'deeper than 64 levels'],
  ['500,000 levels of nesting', nested(500_000), 'deeper than 64 levels'],
  ['500,000 levels that never end', '['.repeat(500_000), 'deeper than 64 levels'],
  ['a number beyond numeric', '1e131072', 'cannot be stored'],
  ['a number too fine for numeric', '1e-16384', 'cannot be stored'],
  ['NaN', 'NaN', 'not valid JSON'],
  ['a trailing comma', '[1,]', 'not valid JSON'],
  ['a raw control character', '"a\nb"', 'not valid JSON'],
  ['single quotes', "'a'", 'not valid JSON'],
];

describe.each(PLACES)('POST %s', (path, body) => {
  test('takes the body that the bad ones are made of', async () => {
    // In a batch of its own environment, as the fingerprint is of all.
    const answer = await fixture.post(path, body('1'));
    expect(answer.status).toBeLessThan(300);
    before = await fixture.fingerprint();
  });

  test.each(BAD_VALUES)(
    'refuses %s with 400, naming the item of a batch, and changes nothing (R5, U4, W7)',
    async (_, json, details) => {
      const answer = await fixture.post(path, body(json));
      await expectDocumented(answer);
      expect([answer.status, answer.body]).toMatchObject([
        400,
        { code: 'invalid_request_error', details: expect.stringContaining(details) },
      ]);
      const namesItem = path === '/identify/batch' && !details.includes('JSON');
      if (namesItem)
        expect(answer.body).toMatchObject({ details: expect.stringMatching(/^\[1\]: /) });
      expect(await fixture.fingerprint()).toEqual(before);
    },
  );

  test('refuses bytes that are not UTF-8 (R5, W7)', async () => {
    const [head, tail] = body('"#"').split('#') as [string, string];
    for (const bytes of [
      [0xff],
      [0xc3, 0x28],
      [0xed, 0xa0, 0x80],
      [0xf5, 0x80, 0x80, 0x80],
      [0xc0, 0x80],
    ]) {
      const answer = await fixture.post(
        path,
        Buffer.concat([Buffer.from(head), Buffer.from(bytes), Buffer.from(tail)]),
      );
      expect([answer.status, answer.body]).toMatchObject([
        400,
        { details: 'the body is not valid UTF-8' },
      ]);
    }
    expect(await fixture.fingerprint()).toEqual(before);
  });

  test('refuses short numbers that are long when written out (U1)', async () => {
    const answer = await fixture.post(path, body(`[${Array(2_000).fill('1e130000').join()}]`));
    expect([answer.status, answer.body]).toMatchObject([413, { code: 'payload_too_large_error' }]);
    expect(await fixture.fingerprint()).toEqual(before);
  });
});

describe('what is unusual but right', () => {
  test('is stored as it was sent: 64 levels, emoji, right-to-left text, wide numbers, odd keys (R5)', async () => {
    // The body, its properties and the object are three levels.
    const values = [
      nested(61),
      '"😀 مرحبا \\ud83d\\ude00"',
      '1e400',
      '-9007199254740993',
      '{"constructor":{"prototype":1},"":2}',
      '"\\u0001"',
    ];
    for (const [index, json] of values.entries()) {
      const answer = await fixture.post(
        '/identify',
        `{"identifier":"odd-${index}","properties":{"a":{"__proto__":${json}}}}`,
      );
      expect([json, answer.status]).toEqual([json, 204]);
      const rows = await fixture.dataSource.query(
        'SELECT properties = $1::jsonb AS same FROM users WHERE identifier = $2',
        [`{"a":{"__proto__":${json}}}`, `odd-${index}`],
      );
      expect(rows).toEqual([{ same: true }]);
    }
  });
});

describe('a missing or wrong body', () => {
  const routes = ['/identify', '/identify/group', '/identify/batch', '/identify/segment'];

  test.each(routes)('is refused by %s (R5)', async (path) => {
    before = await fixture.fingerprint();
    const bodies = [
      undefined,
      '',
      ' ',
      'null',
      'true',
      '1',
      '"text"',
      path === '/identify/batch' ? '{}' : '[]',
      '{',
      '[',
      '\ufeff{}',
    ];
    for (const body of bodies) {
      const answer = await fixture.post(path, body);
      await expectDocumented(answer);
      expect([body, answer.status, answer.body]).toMatchObject([
        body,
        400,
        { code: 'invalid_request_error' },
      ]);
    }
    expect(await fixture.fingerprint()).toEqual(before);
  });
});
