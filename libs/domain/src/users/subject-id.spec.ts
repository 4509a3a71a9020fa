import { describe, expect, test } from '@jest/globals';
import { fc } from '@waymark/testing/properties';
import { v5 } from 'uuid';
import { groupId, userId } from './subject-id.js';

describe('the key of a user or a group', () => {
  test('is the UUIDv5 of environment and identifier, in every script and length', () => {
    fc.assert(
      fc.property(
        fc.uuid(),
        fc.string({ unit: 'binary', maxLength: 600 }),
        (environment, identifier) => {
          expect(userId(environment, identifier)).toBe(v5(identifier, environment));
        },
      ),
    );
    const environment = '5d5a2c5e-3e7d-4f6c-9a8b-1c2d3e4f5a6b';
    for (const identifier of ['', '€'.repeat(5_000), 'x', '😀'.repeat(512)]) {
      expect(groupId(environment, identifier)).toBe(v5(identifier, environment));
    }
  });
});
