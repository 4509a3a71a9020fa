import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { expectDocumented, type Answer } from '@waymark/testing/services';
import { fc } from '@waymark/testing/properties';
import { IdentifyFixture } from './identify-fixture.js';

/**
 * Random bodies, right, almost right and broken ones, against PostgreSQL's own reading of the same
 * text. A longer run: `node tools/test.mjs apps/users-api/e2e/random-bodies --globals
 * '{"randomBodies":20000}' --testTimeout 1800000`
 */
const RUNS = (globalThis as { randomBodies?: number }).randomBodies ?? 400;

let fixture: IdentifyFixture;
let serial = 0;

beforeAll(async () => {
  fixture = await IdentifyFixture.open();
  await fixture.post('/identify', { identifier: 'neighbour', properties: { untouched: true } });
});
afterAll(() => fixture.close());

const token = fc.constantFrom(
  ...[
    '1e400',
    '9007199254740993',
    '-0',
    '0.10',
    '1E-5',
    '1e131072',
    '1e-16384',
    '12345678901234567890',
    'null',
    'true',
    '[]',
    '{}',
  ],
  ...[
    '"\\u0000"',
    '"\\ud83d"',
    '"\\ud83d\\ude00"',
    '"\\\\u0000"',
    '"😀"',
    '"\\n"',
    '{"__proto__":{"a":1}}',
    '{"a":1,"a":2}',
    '{"":[{}]}',
  ],
);
const json: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.json({ maxDepth: 4, stringUnit: 'grapheme' }) },
  { weight: 3, arbitrary: token },
  fc.array(token, { maxLength: 4 }).map((items) => `[${items.join(', ')}]`),
  fc.integer({ min: 1, max: 70 }).map((levels) => '['.repeat(levels) + ']'.repeat(levels)),
);
const key = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 6 }).map((text) => JSON.stringify(text)),
  fc.constantFrom('"a"', '"\\u0061"', '"__proto__"'),
);
const object = fc
  .array(fc.tuple(key, json), { maxLength: 5 })
  .map((members) => `{${members.map((member) => member.join(' : ')).join(',')}}`);
const mostly = (right: fc.Arbitrary<string>) =>
  fc.oneof({ weight: 12, arbitrary: right }, { weight: 1, arbitrary: json });
const name = fc.oneof(
  { weight: 8, arbitrary: fc.string({ unit: 'grapheme', maxLength: 30 }) },
  fc.constantFrom(
    'x'.repeat(500),
    'x'.repeat(520),
    '😀'.repeat(400),
    '\u0000',
    '\u001b',
    '\u0085',
    '\ud83d',
    'مرحبا',
    '__proto__',
  ),
);

/**
 * One request: where it goes, its text, and under which identifiers its objects are to be found.
 */
interface Sent {
  path: string;
  text: string;
  expected: { table: 'users' | 'groups'; identifier: string; pointer: string[] }[];
}

/** Made anew for every try, so that no try finds what another one wrote. */
type Make = (serial: string) => Sent;

const item = (place: string[]) =>
  fc
    .record({ name, properties: fc.option(mostly(object)) })
    .map(({ name: own, properties }) => (serial: string) => {
      const identifier = `${own}-${serial}-${place.join('')}`;
      const text = `{"identifier":${JSON.stringify(identifier)}${properties === null ? '' : `,\n"properties":${properties}`}}`;
      return {
        identifier,
        text,
        expected: { table: 'users' as const, identifier, pointer: [...place, 'properties'] },
      };
    });

const right: fc.Arbitrary<Make> = fc.oneof(
  item([]).map((make) => (serial: string) => {
    const { text, expected } = make(serial);
    return { path: '/identify', text, expected: [expected] };
  }),
  item([]).map((make) => (serial: string) => {
    const { text, expected } = make(serial);
    return { path: '/identify/group', text, expected: [{ ...expected, table: 'groups' as const }] };
  }),
  fc.tuple(item(['0']), item(['1'])).map((makes) => (serial: string) => {
    const items = makes.map((make) => make(serial));
    const text = `[${items.map((one) => one.text).join(',')}]`;
    return { path: '/identify/batch', text, expected: items.map(({ expected }) => expected) };
  }),
  item([]).map((make) => (serial: string) => {
    const { identifier, text: traits, expected } = make(serial);
    const text = `{"type":"identify","userId":${JSON.stringify(identifier)},"traits":${traits}}`;
    return { path: '/identify/segment', text, expected: [{ ...expected, pointer: ['traits'] }] };
  }),
  mostly(object).map((text) => (serial: string) => {
    const identifier = `path/${serial}`;
    const expected = [{ table: 'users' as const, identifier, pointer: [] }];
    return { path: `/identify/${encodeURIComponent(identifier)}`, text, expected };
  }),
);

/**
 * One in six loses, gains or swaps a piece, behind the identifiers: under those it is looked for
 * afterwards.
 */
const sent: fc.Arbitrary<Make> = fc
  .tuple(right, fc.nat(), fc.constantFrom('', ',', '"', '}', '\\', '\u0000', '1'), fc.nat(5))
  .map(([make, at, piece, luck]) => (serial) => {
    const one = make(serial);
    if (luck > 0) return one;
    const start = Math.max(
      ...one.expected.map(({ identifier }) => endOf(one.text, JSON.stringify(identifier))),
    );
    const cut = start + (at % (one.text.length + 1 - start));
    return {
      ...one,
      text: one.text.slice(0, cut) + piece + one.text.slice(cut + (piece === '' ? 1 : 0)),
    };
  });

/** The index behind the first occurrence; 0 where there is none. */
const endOf = (text: string, part: string): number =>
  text.includes(part) ? text.indexOf(part) + part.length : 0;

/**
 * What PostgreSQL itself makes of the text: the objects to be found, or undefined where it refuses
 * the text.
 */
async function readByPostgres({ text, expected }: Sent): Promise<string[] | undefined> {
  const paths = expected.map(({ pointer }) => pointer);
  try {
    const rows = await Promise.all(
      paths.map((path) =>
        fixture.dataSource.query("SELECT coalesce($1::jsonb #> $2::text[], '{}')::text AS value", [
          text,
          path,
        ]),
      ),
    );
    return rows.map(([row]) => (row as { value: string }).value);
  } catch {
    return undefined;
  }
}

const isIdentifier = (text: string) =>
  !/[\p{Cc}\p{Cs}]/u.test(text) && Array.from(text).length <= 512;

test('random bodies are stored as PostgreSQL reads them or refused with 400, and nothing else happens (R5)', async () => {
  const before = await fixture.find('neighbour');
  const counts = { accepted: 0, refused: 0 };
  const check = async (one: Sent, answer: Answer) => {
    await expectDocumented(answer);
    const stored = await Promise.all(
      one.expected.map(async ({ identifier, table }) =>
        identifier.includes('\u0000') ? undefined : fixture.find(identifier, table),
      ),
    );
    const isAccepted = answer.status === 200 || answer.status === 204;
    counts[isAccepted ? 'accepted' : 'refused']++;
    if (!isAccepted) {
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ code: 'invalid_request_error' });
      expect(stored.filter(Boolean)).toEqual([]);
      return;
    }
    const read = await readByPostgres(one);
    expect(one.expected.every(({ identifier }) => isIdentifier(identifier))).toBe(true);
    if (answer.body && one.expected.length > 0)
      expect(answer.body).toEqual({ count: one.expected.length });
    expect(stored.map((row) => row?.properties)).toEqual(read);
  };
  await fc.assert(
    fc.asyncProperty(sent, async (make) => {
      const one = make(String(++serial));
      await check(one, await fixture.post(one.path, one.text));
    }),
    { numRuns: RUNS },
  );
  expect(await fixture.find('neighbour')).toEqual(before);
  // Both happen often, or the test tells nothing.
  expect(Math.min(counts.accepted, counts.refused)).toBeGreaterThan(RUNS / 10);
});
