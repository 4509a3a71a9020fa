import { describe, expect, test } from '@jest/globals';
import { fc } from '@waymark/testing/properties';
import { equal, order, parseDate } from './compare.js';
import { Duration, Moment, type Value } from './value.js';

const value: fc.Arbitrary<Value> = fc.oneof(
  fc.jsonValue() as fc.Arbitrary<Value>,
  fc.integer().map((milliseconds) => new Moment(milliseconds)),
  fc.integer().map((milliseconds) => new Duration(milliseconds)),
  fc.constantFrom(
    '2024-01-01',
    '2024-01-01T00:00Z',
    '1970-01-01',
    new Moment(Date.UTC(2024, 0, 1)),
    new Moment(0),
    new Duration(0),
  ),
);

const nested = (levels: number): Value => {
  let inside: Value = [];
  for (let level = 0; level < levels; level += 1) inside = [inside];
  return inside;
};

describe('equal', () => {
  test('a value equals its copy, whatever the order of keys (S31)', () => {
    const reversed = (json: Value): Value => {
      if (Array.isArray(json)) return json.map(reversed) as Value;
      if (
        json === null ||
        typeof json !== 'object' ||
        json instanceof Moment ||
        json instanceof Duration
      )
        return json;
      // Not by assignment: that would set the prototype for the key `__proto__`.
      return Object.fromEntries(
        Object.entries(json)
          .reverse()
          .map(([key, inside]) => [key, reversed(inside)]),
      ) as Value;
    };
    fc.assert(fc.property(value, (any) => equal(any, reversed(any))));
  });

  test('equality does not depend on the side (S31)', () => {
    fc.assert(fc.property(value, value, (a, b) => equal(a, b) === equal(b, a)));
  });

  test.each<[Value, Value]>([
    [1, '1'],
    [0, false],
    [0, null],
    ['', null],
    [false, null],
    [[], null],
    [[], {}],
    [{}, null],
    [
      [1, 2],
      [2, 1],
    ],
    [[1], [1, 1]],
    [{ a: 1 }, { a: 2 }],
    [{ a: 1 }, { a: 1, b: 1 }],
    [{ a: null }, { b: null }],
    [{}, { toString: null }],
    [{ a: [{ b: 1 }] }, { a: [{ b: 2 }] }],
    [new Moment(5), 5],
    [new Duration(5), 5],
    [new Moment(5), new Duration(5)],
    [new Moment(0), '1970-01-01T00:00:01'],
    [new Moment(0), 'never'],
    ['é', 'e\u0301'],
    ['a', 'A'],
  ])('%j and %j differ (S31)', (a, b) => {
    expect(equal(a, b)).toBe(false);
  });

  test('zero has no sign, as in IEEE doubles (S31)', () => {
    expect(equal([0], [-0])).toBe(true);
  });

  test('a date equals its ISO 8601 text in any zone, on either side (S31)', () => {
    expect(equal(new Moment(0), '1970-01-01T01:00+01:00')).toBe(true);
    expect(equal('1970-01-01', new Moment(0))).toBe(true);
  });

  test('data of any depth compares without running out of stack (S31)', () => {
    expect(equal(nested(100_000), nested(100_000))).toBe(true);
    expect(equal(nested(100_000), nested(99_999))).toBe(false);
  });
});

describe('order', () => {
  test('exactly numbers, strings, dates and durations have an order, each among themselves (S31)', () => {
    const ordered = (a: Value, b: Value) => {
      if (typeof a === 'number' || typeof a === 'string') return typeof a === typeof b;
      return (
        (a instanceof Moment && b instanceof Moment) ||
        (a instanceof Duration && b instanceof Duration)
      );
    };
    const withoutDateTexts = fc
      .tuple(value, value)
      .filter(
        ([a, b]) =>
          !(a instanceof Moment && typeof b === 'string') &&
          !(b instanceof Moment && typeof a === 'string'),
      );
    fc.assert(fc.property(withoutDateTexts, ([a, b]) => (order(a, b) !== null) === ordered(a, b)));
  });

  test('turning the sides around turns the order around (S31)', () => {
    fc.assert(
      fc.property(
        value,
        value,
        (a, b) => Math.sign(order(a, b) ?? 0) === 0 - Math.sign(order(b, a) ?? 0),
      ),
    );
  });

  test('strings sort by code points, not by halves of surrogate pairs (S31)', () => {
    const codePoints = (text: string) =>
      [...text].map((character) => character.codePointAt(0) ?? 0);
    const compared = (a: number[], b: number[]) => {
      const index = a.findIndex((point, at) => point !== b[at]);
      return index === -1 ? a.length - b.length : (a[index] ?? 0) - (b[index] ?? -1);
    };
    expect(order('\uffff', '😀')).toBeLessThan(0);
    const text = fc.string({
      unit: fc.oneof(
        fc.constantFrom('\ue000', '\uffff', '😀', 'a'),
        fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
      ),
    });
    fc.assert(
      fc.property(
        text,
        text,
        (a, b) =>
          Math.sign(order(a, b) ?? NaN) === Math.sign(compared(codePoints(a), codePoints(b))),
      ),
    );
  });

  test('a date sorts with ISO 8601 text, and not with other text (S31)', () => {
    expect(order(new Moment(0), '1970-01-02')).toBeLessThan(0);
    expect(order('1970-01-02', new Moment(0))).toBeGreaterThan(0);
    expect(order(new Moment(0), 'tomorrow')).toBeNull();
  });

  test('infinities are ordinary numbers (S31)', () => {
    expect(order(Infinity, Infinity)).toBe(0);
    expect(order(-Infinity, Infinity)).toBeLessThan(0);
  });
});

describe('parseDate', () => {
  test.each([
    ['2024-02-29', Date.UTC(2024, 1, 29)],
    ['2024-02-29T13:45', Date.UTC(2024, 1, 29, 13, 45)],
    ['2024-02-29 13:45:06', Date.UTC(2024, 1, 29, 13, 45, 6)],
    ['2024-02-29T13:45:06.5', Date.UTC(2024, 1, 29, 13, 45, 6, 500)],
    ['2024-02-29T13:45:06,25', Date.UTC(2024, 1, 29, 13, 45, 6, 250)],
    ['2024-02-29T13:45:06.0005Z', Date.UTC(2024, 1, 29, 13, 45, 6) + 0.5],
    ['2024-02-29T13:45Z', Date.UTC(2024, 1, 29, 13, 45)],
    ['2024-02-29T13:45+02:00', Date.UTC(2024, 1, 29, 11, 45)],
    ['2024-02-29T13:45-0530', Date.UTC(2024, 1, 29, 19, 15)],
    ['2024-02-29T00:45+01', Date.UTC(2024, 1, 28, 23, 45)],
    ['1969-12-31T23:59:59Z', -1000],
    ['0001-01-01', -62_135_596_800_000],
    ['0000-02-29', -62_162_121_600_000],
  ])('reads %s, in UTC unless a zone is written (S30)', (text, milliseconds) => {
    expect(parseDate(text)).toBe(milliseconds);
  });

  test.each([
    '2023-02-29',
    '1900-02-29',
    '2024-00-10',
    '2024-13-10',
    '2024-04-31',
    '2024-01-00',
    '2024-01-01T24:00',
    '2024-01-01T10:60',
    '2024-01-01T10:00:60',
    '2024-01-01T10:00+24:00',
    '2024-01-01T10:00+01:60',
  ])('finds no day or time %s in the calendar (S30)', (text) => {
    expect(parseDate(text)).toBeNull();
  });

  test.each([
    '',
    '2024',
    '2024-01',
    '20240101',
    '2024-1-1',
    '2024-001',
    '2024-W01-1',
    '24-01-01',
    '+002024-01-01',
    '2024-01-01T',
    '2024-01-01T10',
    '2024-01-01T1000',
    '2024-01-01t10:00',
    '2024-01-01T10:00z',
    '2024-01-01T10:00 Z',
    '2024-01-01Z',
    '2024-01-01T10:00.5',
    '2024-01-01T10:00:00.',
    ' 2024-01-01',
    '2024-01-01\n',
    '٢٠٢٤-٠١-٠١',
    'Jan 1, 2024',
  ])('does not take %j for a date (S30)', (text) => {
    expect(parseDate(text)).toBeNull();
  });
});
