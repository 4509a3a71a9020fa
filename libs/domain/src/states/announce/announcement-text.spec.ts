import { describe, expect, test } from '@jest/globals';
import { fc } from '@waymark/testing/properties';
import { packAnnouncements, unpackAnnouncements } from './announcement-text.js';
import type { Announcement } from './live-bus.js';

const word = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/);
const announcement: fc.Arbitrary<Announcement> = fc
  .record({ userId: fc.uuid(), flow: word, version: fc.nat() })
  .chain((state) =>
    fc.oneof(
      fc.nat().map((revision) => ({ ...state, revision })),
      word.map((block) => ({ ...state, block })),
    ),
  );

describe('announcements as text', () => {
  test('every list comes back as it was, in payloads that NOTIFY takes', () => {
    fc.assert(
      fc.property(fc.array(announcement, { maxLength: 300 }), (announcements) => {
        const payloads = packAnnouncements(announcements);
        expect(payloads.flatMap(unpackAnnouncements)).toEqual(announcements);
        for (const payload of payloads) expect(Buffer.byteLength(payload)).toBeLessThan(8_000);
      }),
    );
  });

  test('many are told with few payloads', () => {
    const announcements = Array.from({ length: 500 }, (_, revision) => ({
      userId: '9f4b3c1e-0000-5000-8000-000000000000',
      flow: 'onboarding',
      version: 1,
      revision,
    }));
    expect(packAnnouncements(announcements).length).toBeLessThan(6);
    expect(packAnnouncements([])).toEqual([]);
  });

  test.each([
    '',
    '{',
    'null',
    '7',
    '{"a":1}',
    '[[]]',
    '[["u","f",1]]',
    '[["u","f","1",2]]',
    '[["u","f",1,null]]',
    '[null]',
  ])('a text that is not ours announces nothing: %s', (text) =>
    expect(unpackAnnouncements(text)).toEqual([]),
  );
});
