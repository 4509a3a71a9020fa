import type { Context, Subject } from '@waymark/domain/targeting';
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

/** Users, with and without a group, of whom the `conditions` hold about half the time. */
export function contexts(): fc.Arbitrary<Context> {
  return fc.record({
    now: fc.constant(NOW),
    user: subjects('ada'),
    group: fc.option(subjects('acme'), { freq: 2 }),
    groups: fc.tuple(subjects('bolt'), subjects('corp')).chain((groups) => fc.subarray(groups)),
  });
}

/** Sources of conditions over the properties that `contexts` makes. */
export function conditions(): fc.Arbitrary<string> {
  return fc.constantFrom(
    'true',
    'false',
    'user.properties.on',
    'user.properties.plan == "pro" AND NOT user.properties.on',
    'includes(user.properties.roles, "Admin")',
    'user.createdAt > now() - days(14)',
    'group.properties.seats > 10 OR group.identifier == null',
    'group.properties.seats > 10 AND group.properties.plan == "pro"',
    'NOT group.properties.on',
  );
}
