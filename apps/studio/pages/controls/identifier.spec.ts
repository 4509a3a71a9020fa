import { expect, test } from '@jest/globals';
import { fc } from '@waymark/testing/properties';
import { isIdentifier, nearIdentifier } from './identifier.js';

test('names of people become identifiers that are allowed, or nothing (T7)', () => {
  expect(nearIdentifier('Spring sale!')).toBe('spring-sale');
  expect(nearIdentifier('  Été & Co. ')).toBe('ete-co');
  expect(nearIdentifier('مرحبا')).toBe('');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const near = nearIdentifier(text);
      expect(near === '' || isIdentifier(near)).toBe(true);
    }),
  );
});
