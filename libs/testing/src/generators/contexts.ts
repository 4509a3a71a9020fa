import type { Context, SegmentTexts, Subject } from '@waymark/domain/targeting';
import fc from 'fast-check';

const DAY = 24 * 3_600_000;
const NOW = Date.UTC(2024, 5, 15);

const properties = fc.record(
  {
    plan: fc.constantFrom('pro', 'free', null),
    roles: fc.subarray(['Admin', 'Editor']),
    on: fc.constantFrom(true, false, 0, 'yes'),
    seats: fc.constantFrom(3, 30),
  },
  { requiredKeys: [] },
);

function subjects(identifier: string): fc.Arbitrary<Subject> {
  const daysOld = fc.constantFrom(0, 2, 30).map((days) => NOW - days * DAY);
  return fc.record({
    identifier: fc.constant(identifier),
    properties,
    createdAt: daysOld,
    updatedAt: daysOld,
  });
}

/** What a user did, once or more often, lately or long ago (Z2). */
const events = fc
  .record({ count: fc.constantFrom(1, 3), days: fc.constantFrom(0, 30) })
  .map(({ count, days }) => ({
    Invited: { count, first: NOW - (days + 1) * DAY, last: NOW - days * DAY },
  }));

/** As `contexts`, of users some of whom did something. */
export const activeContexts = (): fc.Arbitrary<Context> =>
  fc
    .tuple(contexts(), fc.option(events, { freq: 3 }))
    .map(([context, done]) =>
      done ? { ...context, user: { ...context.user, events: done } } : context,
    );

/** Users, with and without a group, of whom the `conditions` hold about half the time. */
export function contexts(): fc.Arbitrary<Context> {
  return fc.record({
    // Some delays are over by then, others are not.
    now: fc.constantFrom(0, 3, 30).map((minutes) => NOW + minutes * 60_000),
    user: subjects('ada'),
    group: fc.option(subjects('acme'), { freq: 2 }),
    userId: fc.constantFrom('ada', 'bob', 'cid'),
    groupId: fc.constantFrom(null, 'acme', 'bolt'),
    groups: fc.tuple(subjects('bolt'), subjects('corp')).chain((groups) => fc.subarray(groups)),
  });
}

/** The segments that `conditions` mention (Z6). */
export const SEGMENTS: SegmentTexts = {
  invited: 'user.events["Invited"].count >= 2',
  'pro admins': 'includes(user.properties.roles, "Admin") AND NOT segment("invited")',
};

/**
 * Sources of conditions over what `activeContexts` makes: properties, and as often what users did.
 */
export function conditions(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom(
      'true',
      'false',
      'user.properties.on',
      'user.properties.plan == "pro" AND NOT user.properties.on',
      'includes(user.properties.roles, "Admin")',
      'user.createdAt > now() - days(14)',
      'group.properties.seats > 10 OR group.identifier == null',
      'group.properties.seats > 10 AND group.properties.plan == "pro"',
      'NOT group.properties.on',
    ),
    fc.constantFrom(
      'user.events["Invited"].count > 0',
      'user.events["Invited"].count >= 2',
      'user.events.Invited.last > now() - days(3)',
      'NOT segment("invited")',
      'segment("pro admins") OR user.events.Invited.first < now() - days(20)',
    ),
  );
}
