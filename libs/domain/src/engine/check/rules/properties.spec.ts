import { describe, expect, test } from '@jest/globals';
import { branch, card, defineFlow, doneBy } from '@waymark/testing/builders';
import { checkDefinition } from '../check-definition.js';
import { checkSegments } from './properties.js';

const seen = (lookedAt: number, ...names: string[]) => ({ names: new Set(names), lookedAt });
const warnings = (
  when: string,
  user = seen(9, 'plan', 'roles', 'constructor'),
  group = seen(2, 'seats'),
) => {
  const flow = defineFlow({
    target: { users: 'matching', when },
    blocks: {
      a: branch('user.properties.role == 1', { true: 'b', false: 'finish' }),
      b: card({ complete: 'finish' }),
    },
  });
  return checkDefinition(flow, { properties: { user, group } }).map(
    ({ severity, place, at, message }) =>
      [severity, place.join('/'), at && `${at.line}:${at.column}`, message].join(' '),
  );
};
const BRANCH =
  'warning blocks/a/when 1:1 none of the 9 users looked at has a property "role"; did you mean "roles"?';

describe('a condition on a property that nobody has is warned about (S4)', () => {
  test('at its place, with the likely name', () => {
    expect(
      warnings(
        'user.createdAt > now()\n  AND (NOT user.properties.paln OR group.properties.seat[0] > 3)',
      ),
    ).toEqual([
      'warning target/when 2:12 none of the 9 users looked at has a property "paln"; did you mean "plan"?',
      'warning target/when 2:36 none of the 2 groups looked at has a property "seat"; did you mean "seats"?',
      BRANCH,
    ]);
  });

  test('and is not where somebody has it, nobody is identified, or the names are not known', () => {
    expect(warnings('user.properties.plan.deep == user.properties["constructor"]')).toEqual([
      BRANCH,
    ]);
    expect(warnings('user.properties.paln AND group.properties.paln', seen(0), seen(0))).toEqual(
      [],
    );
    expect(warnings('user.properties.', seen(0))).toEqual([
      expect.stringMatching(/^error target\/when/),
    ]);
    const flow = defineFlow({
      target: { users: 'matching', when: 'user.properties.paln' },
      blocks: { a: card({}) },
    });
    expect(checkDefinition(flow)).toEqual([]);
  });
});

test('a condition on what nobody did is warned about, with the likely name, unless nobody did anything (S4, Z2)', () => {
  const warned = (lookedAt: number) =>
    checkDefinition(
      defineFlow({
        target: {
          users: 'matching',
          when: 'user.events["Piad"].count > user.events["X y"].count',
        },
        blocks: { a: doneBy('user.events.Paid.last > now()', card()) },
      }),
      { events: seen(lookedAt, 'Paid', 'X y') },
    ).map(({ code, at, message }) => [code, at?.column, message]);
  expect(warned(2_000)).toEqual([
    [
      'expression.unknown-event',
      1,
      'none of the 2,000 users looked at ever did "Piad"; did you mean "Paid"?',
    ],
  ]);
  expect(warned(0)).toEqual([]);
});

test('segments are warned of by their names, and what they mention of one another is theirs to tell (Z6, S31)', () => {
  const segments = {
    pro: 'user.properties.plam == "pro"',
    'pro and paid': 'segment("pro") AND user.events.Piad.count > 0',
    fine: 'user.properties.plan == "pro" OR group.properties.anything',
  };
  const properties = { user: seen(3, 'plan'), group: seen(0) };
  const warned = checkSegments(segments, { properties, events: seen(1, 'Paid') });
  expect(warned.map(({ place, severity, message }) => [place, severity, message])).toEqual([
    [
      ['pro'],
      'warning',
      'none of the 3 users looked at has a property "plam"; did you mean "plan"?',
    ],
    [['pro and paid'], 'warning', 'the one user looked at never did "Piad"; did you mean "Paid"?'],
  ]);
  expect(checkSegments(segments, {})).toEqual([]);
});
