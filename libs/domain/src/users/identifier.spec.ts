import { describe, expect, test } from '@jest/globals';
import { fc } from '@waymark/testing/properties';
import { isIdentifier, parseIdentifier } from './identifier.js';

describe('an identifier', () => {
  test('is 1 to 512 code points, whatever the script (W7)', () => {
    for (const good of [
      'a',
      ' ',
      'x'.repeat(512),
      '😀'.repeat(512),
      'مرحبا',
      '٣',
      'a/b?c#d%20',
      '__proto__',
      '\u00a0',
      '\u2028',
    ]) {
      expect(parseIdentifier(good, 'identifier')).toBe(good);
    }
    expect(() => parseIdentifier('', 'identifier')).toThrow(
      'identifier is empty: an identifier has 1 to 512 characters',
    );
    expect(() => parseIdentifier('x'.repeat(513), 'identifier')).toThrow(
      'identifier has 513 characters',
    );
    expect(() => parseIdentifier('😀'.repeat(513), 'identifier')).toThrow(
      'identifier has 513 characters',
    );
    expect(() => parseIdentifier(undefined, '[3].identifier')).toThrow('[3].identifier is missing');
    expect(() => parseIdentifier(['a'], 'userId')).toThrow('userId has to be a string');
  });

  test('has no control character and no half of a surrogate pair, anywhere (W7)', () => {
    const forbidden = fc.oneof(
      fc.integer({ min: 0, max: 0x1f }),
      fc.integer({ min: 0x7f, max: 0x9f }),
      fc.integer({ min: 0xd800, max: 0xdfff }),
    );
    fc.assert(
      fc.property(fc.string(), forbidden, fc.string(), (before, unit, after) => {
        expect(isIdentifier(before + String.fromCharCode(unit) + after)).toBe(false);
      }),
    );
    expect(() => parseIdentifier('a\u0000', 'groupId')).toThrow(
      'groupId has a control character or half of a surrogate pair',
    );
  });
});
