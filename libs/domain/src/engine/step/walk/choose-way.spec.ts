import { describe, expect, test } from '@jest/globals';
import { someone } from '@waymark/testing/builders';
import { readFileSync } from 'node:fs';
import type { Way } from '../../definition/definition.js';
import { chooseWay } from './choose-way.js';

const table = JSON.parse(
  readFileSync(new URL('fixtures/ways-of-a-hundred.json', import.meta.url), 'utf8'),
) as {
  splits: { uid: string; ways: Way[] }[];
  subjects: Record<string, string[]>;
};
const wayOf = (userId: string, ways: readonly Way[], uid = 'u'): string =>
  chooseWay({ uid, by: 'user', ways }, { ...someone(), userId }).name;
const waysOf = (shares: Record<string, number>): Way[] =>
  Object.entries(shares).map(([name, share]) => ({ name, share }));

test('a hundred subjects go the ways that Python computed (K1)', () => {
  const subjects = Object.entries(table.subjects);
  expect(subjects).toHaveLength(100);
  for (const [subject, names] of subjects)
    expect(table.splits.map(({ uid, ways }) => wayOf(subject, ways, uid))).toEqual(names);
});

describe('a split by group', () => {
  const split = { uid: 'u', by: 'group', ways: waysOf({ a: 1, b: 1 }) } as const;
  const wayIn = (userId: string, groupId: string | null) =>
    chooseWay(split, { ...someone(), userId, groupId }).name;
  const users = Array.from({ length: 40 }, (_, index) => `user ${index}`);

  test('goes by the group that the request names, for all of its users (K1)', () => {
    const inGroup = wayOf('acme', split.ways);
    expect(users.map((user) => wayIn(user, 'acme'))).toEqual(users.map(() => inGroup));
  });

  test('goes by the user where none is named, whatever groups they belong to (K1)', () => {
    expect(users.map((user) => wayIn(user, null))).toEqual(
      users.map((user) => wayOf(user, split.ways)),
    );
  });
});

test('without the id of its user nobody goes anywhere (K1)', () => {
  const context = { now: 0, user: someone().user, group: null };
  expect(() => chooseWay({ uid: 'u', by: 'user', ways: waysOf({ a: 1, b: 1 }) }, context)).toThrow(
    expect.objectContaining({ code: 'engine.no-subject' }),
  );
});

describe('a changed share', () => {
  const users = Array.from({ length: 4_000 }, (_, index) => `user ${index}`);
  const before = waysOf({ a: 45, b: 45, c: 10 });
  const moves = (after: Way[]) =>
    users.flatMap((user) => {
      const [from, to] = [wayOf(user, before), wayOf(user, after)];
      return from === to ? [] : [`${from} to ${to}`];
    });

  test('that rises takes people from the others, and moves nobody else (K1)', () => {
    const moved = moves(waysOf({ a: 45, b: 45, c: 60 }));
    expect(new Set(moved)).toEqual(new Set(['a to c', 'b to c']));
    // From 10 of 100 to 60 of 150: three in ten have to move.
    expect(moved.length / users.length).toBeCloseTo(0.3, 1);
  });

  test('that falls gives people to the others, and moves nobody else (K1)', () => {
    const moved = moves(waysOf({ a: 45, b: 45, c: 0 }));
    expect(new Set(moved)).toEqual(new Set(['c to a', 'c to b']));
    expect(moved).toHaveLength(users.filter((user) => wayOf(user, before) === 'c').length);
  });
});
