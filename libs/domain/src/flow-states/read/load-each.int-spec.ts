import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { branch, card, defineFlow } from '@waymark/testing/builders';
import { Stage } from '@waymark/testing/stage';
import { groupId, userId } from '../../users/index.js';
import type { StateQuery } from './found-state.js';
import { loadEach } from './load-each.js';
import { loadTogether } from './load-together.js';

const plain = defineFlow({ flow: 'plain', blocks: { 'plain-a': card() } });
const gold = defineFlow({
  flow: 'gold',
  blocks: { hello: branch('group.properties.plan == "gold"', { true: 'one', false: 'two' }), one: card(), two: card() },
});

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
  for (const flow of [plain, gold]) await stage.commit(flow);
  for (const user of ['ada', 'bob', 'cy']) await stage.identify(user, { big: '12345678901234567890' });
  for (const group of ['zinc', 'acme', 'Zeta']) await stage.identifyGroup(group, { plan: 'gold' });
  await stage.join('ada', 'zinc', 'acme', 'Zeta');
  await stage.join('bob', 'acme');
  for (const user of ['ada', 'bob']) for (const flow of ['plain', 'gold']) await stage.read(user, flow);
  await stage.commit({ ...plain, name: 'another' });
});
afterAll(() => stage.close());

/** Every user, with and without a group, in every version, whatever may be looked at. */
async function everyQuery(): Promise<StateQuery[]> {
  const flows = await Promise.all(
    [
      ['plain', 1],
      ['plain', 2],
      ['plain', 0],
      ['gold', 1],
    ].map(([flow, version]) => stage.catalogue.getFlow(String(flow), Number(version))),
  );
  const users = ['ada', 'bob', 'cy', 'nobody'].map((user) => userId(stage.environmentId, user));
  const groups = [null, groupId(stage.environmentId, 'acme'), groupId(stage.environmentId, 'nobody')];
  return flows.flatMap((flow) =>
    users.flatMap((user) =>
      groups.flatMap((group) =>
        (['never', 'when-fresh', 'always'] as const).map((looks) => ({ userId: user, groupId: group, flow, looks })),
      ),
    ),
  );
}

const withoutNow = (found: Awaited<ReturnType<typeof loadEach>>) =>
  found.map((one) => one && { ...one, context: one.context && { ...one.context, now: 0 } });

test('states are the same, one by one or together (G1)', async () => {
  const all = await everyQuery();
  const each = withoutNow(await loadEach(stage.database, all));
  expect(each).toEqual(withoutNow(await loadTogether(stage.database, all)));
  expect(each.filter((found) => found?.context?.groups?.length === 3).length).toBeGreaterThan(0);
  expect(each.filter((found) => found?.stored?.version === 1).length).toBeGreaterThan(0);
});
