import { describe, expect, test } from '@jest/globals';
import { fc } from '@waymark/testing/properties';
import { parseQuery } from './query.js';

const form = (query: string) => ({ ...parseQuery(`/x?${query}`, { literal: false }) });
const literal = (query: string) => ({ ...parseQuery(`/x?${query}`, { literal: true }) });

/** Milliseconds of the fastest of many runs. */
function fastest(run: () => unknown): number {
  const times = Array.from({ length: 100 }, () => {
    const began = performance.now();
    run();
    return performance.now() - began;
  });
  return Math.min(...times);
}

describe('a query', () => {
  test('is form-decoded from ordinary clients (W8)', () => {
    expect(form('a=1+2&b=%2B&c=%C3%A4&d&=e&&f=g=h')).toEqual({
      a: '1 2',
      b: '+',
      c: 'ä',
      d: '',
      '': 'e',
      f: 'g=h',
    });
  });

  test('from an SDK has a plus for + and keeps a % that begins no escape (W8)', () => {
    expect(literal('a=x+y@example.com&b=100%&c=%zz%4')).toEqual({
      a: 'x+y@example.com',
      b: '100%',
      c: '%zz%4',
    });
    expect(literal('a=%2B&b=%C3%A4')).toEqual({ a: '+', b: 'ä' });
  });

  test.each(['a=%', 'a=%4', 'a=%zz', 'a=1%', '%=1'])(
    'with the broken escape of %s is refused from ordinary clients (W8)',
    (query) => {
      expect(() => form(query)).toThrow(
        /^(the query parameter "a"|a query parameter) cannot be decoded/,
      );
    },
  );

  test.each(['a=%ff', 'a=%c3', 'a=%ed%a0%80'])(
    'of bytes that are not UTF-8 is refused from everybody: %s',
    (query) => {
      expect(() => form(query)).toThrow('cannot be decoded');
      expect(() => literal(query)).toThrow('cannot be decoded');
    },
  );

  test('has a list for a name that is given more than once', () => {
    expect(form('a=1&b=2&a=3&a=4')).toEqual({ a: ['1', '3', '4'], b: '2' });
  });

  test('has at most 1,000 parameters, and a name that is given so often is read at once (R13)', () => {
    const names = (count: number) => Array<string>(count).fill('a=1').join('&');
    const others = Array.from({ length: 1_000 }, (_, at) => `a${at}=1`).join('&');
    expect(form(names(1_000))['a']).toHaveLength(1_000);
    // A list that is copied for each name takes ten times as long as other names do, however busy
    // the machine is.
    expect(fastest(() => form(names(1_000)))).toBeLessThan(5 * fastest(() => form(others)));
    expect(() => form(names(1_001))).toThrow('the query has more than 1000 parameters');
  });

  test('ends at the fragment and may be missing', () => {
    expect({ ...parseQuery('/x?a=1#b=2', { literal: false }) }).toEqual({ a: '1' });
    expect({ ...parseQuery('/x', { literal: false }) }).toEqual({});
    expect({ ...parseQuery('/x?', { literal: false }) }).toEqual({});
  });

  test('takes names of the prototype as data (W7)', () => {
    const query = parseQuery('/x?__proto__=1&constructor=2&__proto__=3', { literal: false });
    expect(Object.entries(query)).toEqual([
      ['__proto__', ['1', '3']],
      ['constructor', '2'],
    ]);
  });

  test('of any text comes back as it was encoded', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(form(`a=${encodeURIComponent(text)}`)).toEqual({ a: text });
        expect(literal(`a=${encodeURIComponent(text)}`)).toEqual({ a: text });
      }),
    );
  });

  test('agrees with URLSearchParams wherever that finds nothing broken', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), fc.string())), (pairs) => {
        const text = new URLSearchParams(pairs).toString();
        for (const name of new Set(pairs.map(([key]) => key))) {
          const values = pairs.filter(([key]) => key === name).map(([, value]) => value);
          expect([parseQuery(`/x?${text}`, { literal: false })[name]].flat()).toEqual(values);
        }
      }),
    );
  });
});
