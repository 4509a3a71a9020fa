import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { userId } from '@waymark/domain/users';
import { card, checklist, defineFlow } from '@waymark/testing/builders';
import { Stage } from '@waymark/testing/stage';
import { findUsers, type FoundUser, type UserFilter } from './find-users.js';

let stage: Stage;
const NAMES = Array.from({ length: 30 }, (_, index) => `user ${index}`);

beforeAll(async () => {
  stage = await Stage.open();
  await stage.identifyAll(NAMES, (index) => ({ number: index }));
  await stage.identifyGroup('acme', { plan: 'gold' });
  await stage.join('user 3', 'acme');
  const blocks = { hello: card({ complete: 'setup' }), setup: checklist(['invite', 'connect'], { complete: 'finish' }) };
  await stage.commit(defineFlow({ flow: 'tour', start: 'hello', blocks }));
  for (const name of NAMES.slice(0, 6)) await stage.read(name, 'tour', 1);
  for (const name of NAMES.slice(0, 3)) await stage.take(name, 'tour', 1, 'hello', ['complete']);
  await stage.run('user 0', 'tour', 1, { kind: 'stop' });
  await stage.commit(defineFlow({ flow: 'tour', start: 'hello', blocks: { ...blocks, bye: card({}) } }));
  await stage.read('user 5', 'tour', 2);
});
afterAll(() => stage.close());

async function find(filter: UserFilter, options?: Parameters<typeof findUsers>[3]): Promise<FoundUser[]> {
  const found: FoundUser[] = [];
  for await (const user of findUsers(stage.dataSource, stage.environmentId, filter, options)) found.push(user);
  return found;
}
const names = async (filter: UserFilter) => (await find(filter)).map(({ identifier }) => identifier).sort();

describe('users are found', () => {
  test('by a condition, over their groups too (S29, S33)', async () => {
    expect(await names({ when: 'user.properties.number > 26' })).toEqual(['user 27', 'user 28', 'user 29']);
    expect(await names({ when: 'group.properties.plan == "gold"' })).toEqual(['user 3']);
  });

  test('by the flow that they are in, as it is in the newest version that they met', async () => {
    const found = await find({ flow: 'tour' });
    const places = new Map(found.map(({ identifier, place }) => [identifier, place]));
    expect([...places.keys()].sort()).toEqual(NAMES.slice(0, 6));
    const running = { started: true, stopped: false, finished: false };
    expect(places.get('user 0')).toEqual({ version: 1, ...running, stopped: true, active: [] });
    expect(places.get('user 1')).toEqual({ version: 1, ...running, active: ['setup', 'invite', 'connect'] });
    expect(places.get('user 5')).toEqual({ version: 2, ...running, active: ['hello'] });
  });

  test('by the block where they are, in the version that is asked for', async () => {
    expect(await names({ flow: 'tour', block: 'setup' })).toEqual(['user 1', 'user 2']);
    expect(await names({ flow: 'tour', block: 'connect', when: 'user.properties.number == 2' })).toEqual(['user 2']);
    expect(await names({ flow: 'tour', block: 'hello' })).toEqual(['user 3', 'user 4', 'user 5']);
    expect(await names({ flow: 'tour', block: 'hello', version: 2 })).toEqual(['user 5']);
    await stage.dataSource.query("UPDATE flow_states SET created_at = now() - interval '2 days' WHERE user_id = $1", [
      userId(stage.environmentId, 'user 1'),
    ]);
    const yesterday = new Date(Date.now() - 86_400_000);
    expect(await names({ flow: 'tour', block: 'setup', version: 1, since: yesterday })).toEqual(['user 2']);
  });

  test('each once, whoever goes on behind the last one', async () => {
    const all = await find({});
    expect(all.map(({ identifier }) => identifier).sort()).toEqual([...NAMES].sort());
    const rest = await find({}, { after: all[11]!.identifier });
    expect(rest).toEqual(all.slice(12));
  });

  test('and what is not there is said', async () => {
    await expect(find({ flow: 'none' })).rejects.toMatchObject({ code: 'flow.unknown' });
    await expect(find({ flow: 'tour', version: 9 })).rejects.toMatchObject({ code: 'version.unknown' });
    await expect(find({ flow: 'tour', block: 'none' })).rejects.toMatchObject({ code: 'block.unknown' });
    await expect(find({ when: 'user.' })).rejects.toMatchObject({ code: 'request.invalid' });
  });
});
