import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { definedStatements } from '../../database/index.js';
import { card, defineFlow } from '@waymark/testing/builders';
import { Fixture } from '@waymark/testing/fixture';
import { readMembers } from '../reader/load-states.js';
import '../index.js';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await Fixture.open();
  for (const title of ['One', 'Two', 'Three'])
    await fixture.commit({
      ...defineFlow({ flow: 'tour', blocks: { hello: card({ complete: 'finish' }) } }),
      name: title,
    });
  const users = Array.from({ length: 30 }, (_, number) => `user-${number}`);
  await fixture.identifyAll(users, (index) => ({ plan: index % 2 ? 'pro' : 'free' }));
  for (const [index, user] of users.entries())
    for (let version = 1; version <= index % 4; version++)
      await fixture.read(user, 'tour', version);
});
afterAll(() => fixture.close());

const ALL = ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];
/**
 * As texts in their order, since the statements promise none; nor do they of the members of a row.
 */
const rowsOf = async (name: string, values: unknown[]) => {
  const { text } = definedStatements().find((statement) => statement.name === name)!;
  const rows = await fixture.dataSource.query<{ members?: string }[]>(text, values);
  return rows
    .map(({ members, ...row }) =>
      JSON.stringify({ ...row, members: members && readMembers(members) }),
    )
    .sort();
};

test('plans and reports read the same states, whatever the tables lie on (G1)', async () => {
  const scope = ['tour', fixture.environmentId, [1, 2, 3], ...ALL];
  const [plan, report] = [
    [...scope, 3],
    [...scope, null],
  ];
  for (const [one, spread, values, atLeast] of [
    ['load_met_0', 'load_spread_met_0', plan, 3],
    ['load_met_1', 'load_spread_met_1', [...plan, ['plan']], 3],
    ['load_reported_users', 'load_spread_reported_users', report, 15],
    ['load_equal_users', 'load_spread_equal_users', report, 1],
  ] as const) {
    const rows = await rowsOf(one, [...values]);
    expect(rows.length).toBeGreaterThanOrEqual(atLeast);
    expect(await rowsOf(spread, [...values])).toEqual(rows);
  }
});
