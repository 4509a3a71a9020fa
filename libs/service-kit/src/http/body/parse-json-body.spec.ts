import { describe, expect, test } from '@jest/globals';
import { fc } from '@waymark/testing/properties';
import { parseJsonBody } from './parse-json-body.js';

const parse = (text: string) => parseJsonBody(Buffer.from(text));
const refusal = (text: string) => {
  try {
    parse(text);
  } catch (error) {
    return error as Error & { code: string };
  }
  throw new Error(`accepted: ${text.slice(0, 80)}`);
};
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

describe('a JSON body', () => {
  test('means what JSON.parse says, and keeps its text (W7)', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), fc.integer({ min: 0, max: 4 }), (json, indent) => {
        const text = JSON.stringify(json, null, indent);
        expect(parse(text)).toEqual({ value: JSON.parse(text), text });
      }),
    );
  });

  test('is refused with 400 whenever JSON.parse refuses it (W2)', () => {
    const fragments = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"',
      '\\',
      '1',
      '-',
      '1e5',
      'e',
      'true',
      'nul',
      ' ',
      '\n',
    );
    fc.assert(
      fc.property(fc.array(fragments, { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        let valid = true;
        try {
          JSON.parse(text);
        } catch {
          valid = false;
        }
        if (valid) expect(parse(text).text).toBe(text);
        else expect(refusal(text).code).toBe('request.invalid');
      }),
      { numRuns: 1000 },
    );
  });

  test('that is not UTF-8 is refused (W7)', () => {
    expect(() => parseJsonBody(Buffer.from([0x22, 0xc3, 0x28, 0x22]))).toThrow(
      'the body is not valid UTF-8',
    );
    expect(() => parseJsonBody(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]))).toThrow(
      'the body is not valid UTF-8',
    );
  });

  test('nests up to 64 levels, itself being level 1, however deep it goes on (W7)', () => {
    expect(parse(nested(64)).text).toBe(nested(64));
    expect(parse(`{"a":"${'['.repeat(100)}\\"${'{'.repeat(100)}"}`).value).toBeTruthy();
    expect(parse(`[${'[{}],'.repeat(1000)}{}]`).value).toHaveLength(1001);
    for (const levels of [65, 5_000, 500_000]) {
      expect(refusal(nested(levels)).message).toBe(
        '[0]: the body nests deeper than 64 levels at position 64, at most 64 are allowed',
      );
    }
    expect(refusal('{"a":'.repeat(500_000)).message).toContain('deeper than 64 levels');
  });

  test('that is a list is refused with the index of the item (U4)', () => {
    const bad = ['1e999999', '"\\u0000"', '"\\ud800"', '['.repeat(64)];
    for (const item of bad) {
      expect(refusal(` [{"a":"],[\\"","b":[1,{}]}, 2 ,[${item}],3]`).message).toMatch(/^\[2\]: /);
      expect(refusal(`{"a":[1,2,[${item}]]}`).message).toMatch(/^the /);
    }
  });

  test('may hold any key, __proto__ too, as data (W7)', () => {
    const { value } = parse('{"__proto__":{"x":1},"constructor":2}');
    expect(Object.entries(value as object)).toEqual([
      ['__proto__', { x: 1 }],
      ['constructor', 2],
    ]);
  });
});

describe('text that PostgreSQL cannot hold', () => {
  test('is refused with its position, in keys and in values (W7)', () => {
    expect(refusal('["\\u0000"]').message).toBe(
      '[0]: the body holds U+0000 at position 2, which cannot be stored as text',
    );
    expect(refusal('{"\\u0000":1}').message).toContain('U+0000 at position 2');
    for (const text of [
      '"\\ud800"',
      '"\\uDC00"',
      '"\\ud800x\\udc00"',
      '"\\ud800\\ud800\\udc00"',
      '"\\ud800\\n\\udc00"',
      '["\\ud800","\\udc00"]',
    ]) {
      expect(refusal(text).message).toContain('a lone surrogate');
    }
    expect(refusal('"x\\ud83d\\u0041"').message).toContain('a lone surrogate at position 2');
  });

  test('is only what means it: pairs, and backslashes that are data, pass (W7)', () => {
    for (const text of [
      '"\\ud83d\\ude00"',
      '"\\\\u0000"',
      '"\\\\\\\\ud800"',
      '"😀"',
      '"\\u0001"',
    ]) {
      expect(parse(text).value).toBe(JSON.parse(text));
    }
  });

  test('is found exactly where the decoded strings hold it (W7)', () => {
    const unit = fc.constantFrom(
      '\\ud83d',
      '\\ude00',
      '\\u0041',
      '\\u0000',
      '\\\\',
      'u0000',
      '😀',
      'a',
      '\\n',
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 8 }), (units) => {
        const text = `"${units.join('')}"`;
        const decoded = JSON.parse(text) as string;
        const storable = Buffer.from(decoded).toString() === decoded && !decoded.includes('\0');
        if (storable) expect(parse(text).value).toBe(decoded);
        else expect(refusal(text).code).toBe('request.invalid');
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a number', () => {
  test('that jsonb can hold passes, whatever JavaScript makes of it (U2)', () => {
    for (const text of [
      '1e400',
      '9007199254740993',
      '1e-16383',
      '1e131071',
      '0.1e131072',
      '1.5e-16382',
      '0e200000',
      '0.000e3',
      '-0',
    ]) {
      expect(parse(text).text).toBe(text);
    }
  });

  test('that jsonb cannot hold is refused with its position (U2)', () => {
    for (const text of [
      '0e-20000',
      '1e-16384',
      '1e131072',
      '10e131071',
      '-0.1E+131073',
      '1.5e-16383',
      '0e99999999999',
      `1${'0'.repeat(131_072)}`,
    ]) {
      expect(refusal(`[ ${text}]`).message).toContain(
        'the number at position 2 cannot be stored: at most 131072 digits before',
      );
    }
    expect(refusal(`0.${'1'.repeat(16_384)}`).message).toContain('cannot be stored');
    expect(parse(`["1e131072 9e999999", "${'1'.repeat(200_000)}"]`).value).toBeTruthy();
  });

  test('in exponent form counts as written out towards the limit of properties (U1)', () => {
    expect(parse(`[${Array(8).fill('1e130000').join()}]`).value).toHaveLength(8);
    expect(refusal(`[${Array(9).fill('1e130000').join()}]`).code).toBe('properties.too-large');
  });
});
