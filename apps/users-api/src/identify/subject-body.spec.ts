import { describe, expect, test } from '@jest/globals';
import { validateSync } from 'class-validator';
import { fc } from '@waymark/testing/properties';
import type { BodyObject } from './body-part.js';
import { GroupBody, UserBody } from './subject-body.js';

describe('bodies of users and groups', () => {
  test('are never taken for right at a glance where the decorators refuse them (W7, U2, U3)', () => {
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom('a', '', 'a\n', 'x'.repeat(513), {}, [], null, undefined),
    );
    const body = fc.record({ identifier: value, properties: value, groups: value });
    fc.assert(
      fc.property(body, (candidate) => {
        for (const type of [UserBody, GroupBody]) {
          if (!type.isPlainlyRight(candidate as BodyObject)) continue;
          expect(validateSync(new type(candidate as BodyObject))).toEqual([]);
        }
      }),
      { numRuns: 2_000 },
    );
    expect(UserBody.isPlainlyRight({ identifier: 'a', properties: {} })).toBe(true);
  });
});
