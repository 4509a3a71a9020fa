import { describe, expect, test } from '@jest/globals';
import { fc } from '@waymark/testing/properties';
import { findRawMember, mergeRawObjects, rawItems, rawMembers } from './raw-json.js';

const object = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 4 }));
const indent = fc.integer({ min: 0, max: 3 });
const parsed = (members: Map<string, string>) =>
  Object.fromEntries(Array.from(members, ([key, raw]) => [key, JSON.parse(raw)]));

describe('raw JSON', () => {
  test('gives every member of an object as it was written (U2)', () => {
    expect([
      ...rawMembers(' { "a" : 9007199254740993 ,"\\u0062":[1, "x]\\\\"],\n"c":{"d":"}"} } '),
    ]).toEqual([
      ['a', '9007199254740993'],
      ['b', '[1, "x]\\\\"]'],
      ['c', '{"d":"}"}'],
    ]);
    expect(rawMembers('{}').size).toBe(0);
    expect([...rawMembers('{"__proto__":1.0}')]).toEqual([['__proto__', '1.0']]);
    expect([...rawMembers('{"a":1,"\\u0061":2}')]).toEqual([['a', '2']]);
  });

  test('gives every member that JSON.parse gives (U2)', () => {
    fc.assert(
      fc.property(object, indent, (json, spaces) => {
        const text = JSON.stringify(json, null, spaces);
        expect(parsed(rawMembers(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  test('finds one member as it was written, however its key is written (U2)', () => {
    expect(findRawMember('{"a":1,"b":{"a":2},"\\u0061":3.0, "aa":4}', 'a')).toBe('3.0');
    expect(findRawMember('{"b":{"a":2},"x":"a"}', 'a')).toBeUndefined();
    fc.assert(
      fc.property(object, indent, (json, spaces) => {
        const text = JSON.stringify(json, null, spaces);
        for (const [key, raw] of rawMembers(text)) expect(findRawMember(text, key)).toBe(raw);
      }),
    );
  });

  test('gives every item of an array (U4)', () => {
    expect(rawItems(' [ 1e400 , {"a":[2]},[ ] ,"x,"]')).toEqual([
      '1e400',
      '{"a":[2]}',
      '[ ]',
      '"x,"',
    ]);
    fc.assert(
      fc.property(fc.array(fc.jsonValue({ maxDepth: 3 })), indent, (json, spaces) => {
        const text = JSON.stringify(json, null, spaces);
        expect(rawItems(text).map((raw) => JSON.parse(raw))).toEqual(JSON.parse(text));
      }),
    );
  });

  test('merges objects key by key, later ones winning, values untouched (U1)', () => {
    expect(mergeRawObjects(['{"a":1.10,"b":{"x":1}}', '{"b":{"y":2}}', '{"\\u0061":1e400}'])).toBe(
      '{"a":1e400,"b":{"y":2}}',
    );
    expect(mergeRawObjects(['{ "a": 1 }'])).toBe('{ "a": 1 }');
    fc.assert(
      fc.property(fc.array(object, { minLength: 1, maxLength: 4 }), (objects) => {
        const merged = mergeRawObjects(objects.map((json) => JSON.stringify(json)));
        const expected = new Map(
          objects.flatMap((json) => Object.entries(JSON.parse(JSON.stringify(json)) as object)),
        );
        expect(new Map(Object.entries(JSON.parse(merged) as object))).toEqual(expected);
      }),
    );
  });

  test('ends on text that is cut off or no JSON at all', () => {
    for (const text of [
      '',
      '{',
      '{"',
      '{"a',
      '{"a"',
      '{"a":',
      '{"a":[',
      '[',
      '[1',
      'null',
      '[[',
      '{"a":]}',
      '[}',
      '"',
    ]) {
      expect(rawMembers(text)).toBeInstanceOf(Map);
      expect(() => findRawMember(text, 'x')).not.toThrow();
      expect(rawItems(text)).toBeInstanceOf(Array);
    }
  });
});
