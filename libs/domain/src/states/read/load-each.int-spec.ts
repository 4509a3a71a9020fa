import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { branch, card, defineFlow } from '@waymark/testing/builders';
import { Fixture } from '@waymark/testing/fixture';
import { groupId, userId } from '../../users/index.js';
import type { StateQuery } from './found-state.js';
import { loadEach } from './load-each.js';
import { loadTogether } from './flow-state-reader.js';

const plain = defineFlow({ flow: 'plain', blocks: { 'plain-a': card() } });
const gold = defineFlow({
  flow: 'gold',
  blocks: {
    hello: branch('group.properties.plan == "gold"', { true: 'one', false: 'two' }),
    one: card(),
    two: card(),
  },
});

let fixture: Fixture;
beforeAll(async () => {
  fixture = await Fixture.open();
  for (const flow of [plain, gold]) await fixture.commit(flow);
  for (const user of ['ada', 'bob', 'cy'])
    await fixture.identify(user, { big: '12345678901234567890' });
  for (const group of ['zinc', 'acme', 'Zeta'])
    await fixture.identifyGroup(group, { plan: 'gold' });
  await fixture.join('ada', 'zinc', 'acme', 'Zeta');
  await fixture.join('bob', 'acme');
  for (const user of ['ada', 'bob'])
    for (const flow of ['plain', 'gold']) await fixture.read(user, flow);
  await fixture.commit({ ...plain, name: 'another' });
});
afterAll(() => fixture.close());

/** Every user, with and without a group, in every version, whatever may be looked at. */
async function everyQuery(): Promise<StateQuery[]> {
  const flows = await Promise.all(
    [
      ['plain', 1],
      ['plain', 2],
      ['plain', 0],
      ['gold', 1],
    ].map(([flow, version]) => fixture.catalogue.getFlow(String(flow), Number(version))),
  );
  const users = ['ada', 'bob', 'cy', 'nobody'].map((user) => userId(fixture.environmentId, user));
  const groups = [
    null,
    groupId(fixture.environmentId, 'acme'),
    groupId(fixture.environmentId, 'nobody'),
  ];
  return flows.flatMap((flow) =>
    users.flatMap((user) =>
      groups.flatMap((group) =>
        (['never', 'when-fresh', 'when-running', 'always'] as const).map((looks) => ({
          userId: user,
          groupId: group,
          flow,
          looks,
        })),
      ),
    ),
  );
}

const withoutNow = (found: Awaited<ReturnType<typeof loadEach>>) =>
  found.map((one) => one && { ...one, now: 0, context: one.context && { ...one.context, now: 0 } });

test('states are the same, one by one or together (G1)', async () => {
  const all = await everyQuery();
  const each = withoutNow(await loadEach(fixture.database, all));
  expect(each).toEqual(withoutNow(await loadTogether(fixture.database, all)));
  expect(each.filter((found) => found?.context?.groups?.length === 3).length).toBeGreaterThan(0);
  expect(each.filter((found) => found?.stored?.version === 1).length).toBeGreaterThan(0);
});
