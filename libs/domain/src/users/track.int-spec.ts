import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Database } from '@waymark/domain/database';
import { branch, card, defineFlow } from '@waymark/testing/builders';
import { until } from '@waymark/testing/services';
import { Fixture } from '@waymark/testing/fixture';
import { deleteUser, exportUser, loadUser } from '../records/index.js';
import { Identify } from './identify.js';
import { userId } from './subject-id.js';
import { Track } from './track.js';

let fixture: Fixture;
let user: string;
let users = 0;
let track: Track;
let other: Track;
beforeAll(async () => {
  fixture = await Fixture.open();
  track = new Track(new Database(fixture.dataSource));
  other = new Track(new Database(fixture.dataSource));
});
afterAll(() => fixture.close());
beforeEach(() => {
  user = `tracked-${++users}`;
});

const did = (name: string, id?: string, who = user) => ({
  environmentId: fixture.environmentId,
  events: [{ user: who, name, where: '', ...(id !== undefined && { id }) }],
});
const eventsOf = async (who = user) => {
  const { events } = await loadUser(fixture.dataSource, fixture.environmentId, who);
  return Object.fromEntries(events.map(({ name, count }) => [name, count]));
};
const untilWaiting = (many: number) =>
  until(async () => {
    const [{ waiting }] = (await fixture.dataSource.query(
      `SELECT count(*)::int AS waiting FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    )) as [{ waiting: number }];
    return waiting === many;
  });

describe('what users did (Z2)', () => {
  test('is counted by name, of users who are made by it and otherwise stay as they are', async () => {
    await track.run(did('Invited'));
    await track.run(did('Invited'));
    await track.run(did('__proto__'));
    expect(await eventsOf()).toEqual({ Invited: 2, ['__proto__']: 1 });
    await fixture.identify('known', { plan: 'pro' });
    const before = await loadUser(fixture.dataSource, fixture.environmentId, 'known');
    await track.run(did('Invited', undefined, 'known'));
    const { events, ...after } = await loadUser(fixture.dataSource, fixture.environmentId, 'known');
    expect({ ...after, events: [] }).toEqual(before);
    expect(events[0]!.first).toEqual(events[0]!.last);
  });

  test('an id among the last 64 of a user is not counted again, however often and at once it comes', async () => {
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        (index % 2 ? track : other).run(did('Paid', 'same')),
      ),
    );
    expect(await eventsOf()).toEqual({ Paid: 1 });
    for (let index = 0; index < 63; index++) await track.run(did('Paid', `id-${index}`));
    await track.run(did('Paid', 'same'));
    expect(await eventsOf()).toEqual({ Paid: 64 });
    await track.run(did('Paid', 'id-63'));
    await track.run(did('Paid', 'same'));
    expect(await eventsOf()).toEqual({ Paid: 66 });
    await track.run(did('Paid', 'same', 'somebody-else'));
    expect(await eventsOf('somebody-else')).toEqual({ Paid: 1 });
  });

  test('a user has at most 200 names: one more is refused, and nothing of its batch is counted', async () => {
    const batch = Array.from({ length: 100 }, (_, index) => `name-${index}`);
    const all = (names: readonly string[]) => ({
      environmentId: fixture.environmentId,
      events: names.map((name, index) => ({ user, name, where: `[${index}]` })),
    });
    await track.run(all(batch));
    await track.run(all(batch.map((name) => `more ${name}`)));
    await track.run(all(batch));
    const refused = track.run(all(['name-1', 'one too many']));
    const beside = track.run(did('name-0'));
    await expect(refused).rejects.toMatchObject({
      code: 'events.too-many',
      message: expect.stringContaining(`user "${user}" would have events of more than 200 names`),
    });
    await beside;
    expect(await eventsOf()).toMatchObject({ 'name-0': 3, 'name-1': 2 });
    expect(Object.keys(await eventsOf())).toHaveLength(200);
  });

  test('two replicas that track and identify the same users at once neither lose nor deadlock (U4)', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `${user}-${index}`);
    const identify = new Identify(new Database(fixture.dataSource));
    const some = (round: number) => {
      const turned = [...names.slice(round % 20), ...names.slice(0, round % 20)];
      return round % 2 ? turned : turned.reverse();
    };
    const work = Array.from({ length: 60 }, (_, round) => [
      (round % 2 ? track : other).run({
        environmentId: fixture.environmentId,
        events: some(round).map((who) => ({ user: who, name: 'Did', where: '' })),
      }),
      identify.run({
        environmentId: fixture.environmentId,
        users: some(round).map((identifier) => ({ identifier, properties: '{}', where: '' })),
        groups: [{ identifier: 'acme', properties: '{}', where: '' }],
        memberships: some(round).map((member) => ({ user: member, group: 'acme' })),
      }),
    ]);
    await Promise.all(work.flat());
    for (const name of names) expect(await eventsOf(name)).toEqual({ Did: 60 });
  });

  test('batches that name the same users in opposite orders wait for each other and never deadlock (U4, R7)', async () => {
    const keyOf = (name: string) => userId(fixture.environmentId, name);
    const names = [1, 2, 3]
      .map((index) => `${user}-${index}`)
      .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    const run = (by: Track, all: readonly string[]) =>
      by.run({
        environmentId: fixture.environmentId,
        events: all.map((who) => ({ user: who, name: 'Did', where: '' })),
      });
    await run(track, names);
    const holding = fixture.dataSource.createQueryRunner();
    await holding.startTransaction();
    await holding.query('SELECT FROM users WHERE user_id = $1 FOR UPDATE', [keyOf(names[1]!)]);
    const both = [run(track, names), run(other, names.toReversed())];
    await untilWaiting(2);
    // One waits here and the other for it. If both had come so far, each would hold what the other
    // wants next.
    const free = (await holding.query(
      'SELECT 1 FROM users WHERE user_id = $1 FOR UPDATE SKIP LOCKED',
      [keyOf(names[2]!)],
    )) as unknown[];
    await holding.rollbackTransaction();
    await holding.release();
    await Promise.all(both);
    expect(free).toHaveLength(1);
    for (const name of names) expect(await eventsOf(name)).toEqual({ Did: 3 });
  });

  test('an event that waits for the deletion of its user holds nothing that this deletes next, and is counted after it (R7)', async () => {
    await track.run(did('Did', 'before'));
    const key = userId(fixture.environmentId, user);
    const deleting = fixture.dataSource.createQueryRunner();
    await deleting.startTransaction();
    await deleting.query('DELETE FROM users WHERE user_id = $1', [key]);
    const waiting = track.run(did('Did', 'after'));
    await untilWaiting(1);
    const free = (await deleting.query(
      'SELECT 1 FROM tracked_users WHERE user_id = $1 FOR UPDATE SKIP LOCKED',
      [key],
    )) as unknown[];
    for (const table of ['user_events', 'tracked_users'])
      await deleting.query(`DELETE FROM ${table} WHERE user_id = $1`, [key]);
    await deleting.commitTransaction();
    await deleting.release();
    await waiting;
    expect(free).toHaveLength(1);
    expect(await eventsOf()).toEqual({ Did: 1 });
  });

  test('conditions look at how often and when, and only flows that mention it read it', async () => {
    await fixture.commit(
      defineFlow({
        flow: 'inviters',
        target: { users: 'matching', when: 'user.events["Invited"].count >= 2' },
        blocks: {
          recent: branch(
            'user.events.Invited.last > now() - days(1) AND user.events["Left"].first == null',
            {
              true: 'yes',
              false: 'no',
            },
          ),
          yes: card(),
          no: card(),
        },
      }),
    );
    await fixture.identify(user);
    await track.run(did('Invited'));
    expect((await fixture.read(user, 'inviters')).state.started).toBe(false);
    await track.run(did('Invited'));
    const { state } = await fixture.read(user, 'inviters');
    expect(state.blocks).toHaveProperty('u-yes');
  });

  test('goes with its user, who is exported with it', async () => {
    await track.run(did('Invited', 'an-id'));
    let text = '';
    for await (const piece of exportUser(fixture.dataSource, fixture.environmentId, user))
      text += piece;
    expect(JSON.parse(text)).toMatchObject({
      tracked: [{ name: 'Invited', count: 1, firstAt: expect.any(String) }],
      trackedIds: ['an-id'],
    });
    const { dataSource, environmentId, changes } = fixture;
    await deleteUser(dataSource, environmentId, user, changes, { by: 'test' });
    for (const table of ['user_events', 'tracked_users'])
      expect(
        await dataSource.query(`SELECT 1 FROM ${table} WHERE user_id = $1`, [
          userId(environmentId, user),
        ]),
      ).toEqual([]);
  });
});
