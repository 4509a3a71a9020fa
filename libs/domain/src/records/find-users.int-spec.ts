import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { userId } from '@waymark/domain/users';
import { card, checklist, defineFlow } from '@waymark/testing/builders';
import { Fixture } from '@waymark/testing/fixture';
import { findUserPage, findUsers, type FoundUser, type UserFilter } from './index.js';

let fixture: Fixture;
const NAMES = Array.from({ length: 30 }, (_, index) => `user ${index}`);

beforeAll(async () => {
  fixture = await Fixture.open();
  await fixture.identifyAll(NAMES, (index) => ({ number: index }));
  await fixture.identifyGroup('acme', { plan: 'gold' });
  await fixture.join('user 3', 'acme');
  const blocks = {
    hello: card({ complete: 'setup' }),
    setup: checklist(['invite', 'connect'], { complete: 'finish' }),
  };
  await fixture.commit(defineFlow({ flow: 'tour', start: 'hello', blocks }));
  for (const name of NAMES.slice(0, 6)) await fixture.read(name, 'tour', 1);
  for (const name of NAMES.slice(0, 3)) await fixture.take(name, 'tour', 1, 'hello', ['complete']);
  await fixture.run('user 0', 'tour', 1, { kind: 'stop' });
  await fixture.commit(
    defineFlow({ flow: 'tour', start: 'hello', blocks: { ...blocks, bye: card({}) } }),
  );
  await fixture.read('user 5', 'tour', 2);
});
afterAll(() => fixture.close());

async function find(
  filter: UserFilter,
  options?: Parameters<typeof findUsers>[3],
): Promise<FoundUser[]> {
  const found: FoundUser[] = [];
  for await (const user of findUsers(fixture.dataSource, fixture.environmentId, filter, options))
    found.push(user);
  return found;
}
const names = async (filter: UserFilter) =>
  (await find(filter)).map(({ identifier }) => identifier).sort();

describe('users are found', () => {
  test('by a condition, over their groups too (S29, S33)', async () => {
    expect(await names({ when: 'user.properties.number > 26' })).toEqual([
      'user 27',
      'user 28',
      'user 29',
    ]);
    expect(await names({ when: 'group.properties.plan == "gold"' })).toEqual(['user 3']);
  });

  test('by the flow that they are in, as it is in the newest version that they met', async () => {
    const found = await find({ flow: 'tour' });
    const places = new Map(found.map(({ identifier, place }) => [identifier, place]));
    expect([...places.keys()].sort()).toEqual(NAMES.slice(0, 6));
    const running = { started: true, stopped: false, finished: false };
    expect(places.get('user 0')).toEqual({ version: 1, ...running, stopped: true, active: [] });
    expect(places.get('user 1')).toEqual({
      version: 1,
      ...running,
      active: ['setup', 'invite', 'connect'],
    });
    expect(places.get('user 5')).toEqual({ version: 2, ...running, active: ['hello'] });
  });

  test('by the block where they are, in the version that is asked for', async () => {
    expect(await names({ flow: 'tour', block: 'setup' })).toEqual(['user 1', 'user 2']);
    expect(
      await names({ flow: 'tour', block: 'connect', when: 'user.properties.number == 2' }),
    ).toEqual(['user 2']);
    expect(await names({ flow: 'tour', block: 'hello' })).toEqual(['user 3', 'user 4', 'user 5']);
    expect(await names({ flow: 'tour', block: 'hello', version: 2 })).toEqual(['user 5']);
    await fixture.dataSource.query(
      "UPDATE flow_states SET created_at = now() - interval '2 days' WHERE user_id = $1",
      [userId(fixture.environmentId, 'user 1')],
    );
    const yesterday = new Date(Date.now() - 86_400_000);
    expect(await names({ flow: 'tour', block: 'setup', version: 1, since: yesterday })).toEqual([
      'user 2',
    ]);
  });

  test('each once, whoever goes on behind the last one', async () => {
    const all = await find({});
    expect(all.map(({ identifier }) => identifier).sort()).toEqual([...NAMES].sort());
    const rest = await find({}, { after: all[11]!.identifier });
    expect(rest).toEqual(all.slice(12));
  });

  test('by the beginning of an identifier, in its order, alone and with what else is asked (T17)', async () => {
    const inOrder = async (filter: UserFilter) =>
      (await find(filter)).map(({ identifier }) => identifier);
    expect(await inOrder({ startsWith: 'user 2' })).toEqual(['user 2', ...NAMES.slice(20)].sort());
    expect(await inOrder({ startsWith: 'User' })).toEqual([]);
    expect(await inOrder({ startsWith: 'user 2', when: 'user.properties.number > 27' })).toEqual([
      'user 28',
      'user 29',
    ]);
    expect(await inOrder({ startsWith: 'user', flow: 'tour', block: 'hello' })).toEqual([
      'user 3',
      'user 4',
      'user 5',
    ]);
    await expect(find({ startsWith: 'user\n' })).rejects.toMatchObject({ code: 'request.invalid' });
  });

  test.each<[string, UserFilter]>([
    ['by a condition', { when: 'user.properties.number >= 10' }],
    ['by the beginning of an identifier', { startsWith: 'user 1' }],
    ['by identifier', {}],
  ])('a page at a time, %s, each user once (T17)', async (_what, filter) => {
    const found: string[] = [];
    let after: string | undefined;
    do {
      const options = { limit: 7, ...(after !== undefined && { after }) };
      const page = await findUserPage(fixture.dataSource, fixture.environmentId, filter, options);
      expect(page.users.length).toBeLessThanOrEqual(7);
      found.push(...page.users.map(({ identifier }) => identifier));
      after = page.next;
    } while (after !== undefined);
    expect(found.sort()).toEqual((await names(filter)).sort());
    expect(new Set(found).size).toBe(found.length);
  });

  test('within a bound: a page without anybody says where the next one begins (T17)', async () => {
    const others = Array.from({ length: 45_000 }, (_, index) => `other ${index}`);
    await fixture.identifyAll(others, () => ({}));
    const filter = { when: 'user.properties.number == 17' };
    const pages = [];
    let after: string | undefined;
    do {
      const options = { limit: 5, ...(after !== undefined && { after }) };
      const page = await findUserPage(fixture.dataSource, fixture.environmentId, filter, options);
      pages.push(page.users.map(({ identifier }) => identifier));
      after = page.next;
    } while (after !== undefined);
    expect(pages.length).toBeGreaterThanOrEqual(2);
    expect(pages.length).toBeLessThanOrEqual(4);
    expect(pages.flat()).toEqual(['user 17']);
    await fixture.dataSource.query("DELETE FROM users WHERE identifier LIKE 'other %'");
  });

  test('and what is not there is said', async () => {
    await expect(find({ flow: 'none' })).rejects.toMatchObject({ code: 'flow.unknown' });
    await expect(find({ flow: 'tour', version: 9 })).rejects.toMatchObject({
      code: 'version.unknown',
    });
    await expect(find({ flow: 'tour', block: 'none' })).rejects.toMatchObject({
      code: 'block.unknown',
    });
    await expect(find({ flow: 'tour', goal: 'met' })).rejects.toThrow('flow tour has no goal');
    await expect(find({ goal: 'met' })).rejects.toMatchObject({ code: 'request.invalid' });
    await expect(find({ when: 'user.' })).rejects.toMatchObject({ code: 'request.invalid' });
  });
});
