import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { card, defineFlow } from '@waymark/testing/builders';
import { Receiver, until } from '@waymark/testing/services';
import { Fixture } from '@waymark/testing/fixture';
import { exportEvents, pruneEvents, type PublicEvent } from '../events/index.js';
import { addEndpoint, DeliveryWorker, listEndpoints } from './index.js';

const BY = { by: 'test' };
const USERS = Array.from({ length: 24 }, (_, index) => `user-${index}`);
const PLAYED = ['flow.started', 'block.entered', 'block.exited', 'flow.finished'];

let fixture: Fixture;
beforeAll(async () => {
  fixture = await Fixture.open({ partitioned: true });
  await fixture.commit(
    defineFlow({ flow: 'tour', blocks: { hello: card({ complete: 'finish' }) } }),
  );
  await fixture.identifyAll(USERS, () => ({}));
  // Of users who are not there any more, so that the log is no small one.
  await fixture.dataSource.query(
    `INSERT INTO flow_events (user_id, flow, version, revision, event)
     SELECT md5(n::text)::uuid, 'old', 1, 1, '{"format":1,"cause":{"kind":"stop"},"changes":[]}' FROM generate_series(1, 20000) n`,
  );
  for (const user of USERS) await fixture.read(user, 'tour');
  for (const user of USERS) await fixture.take(user, 'tour', 'latest', 'hello', ['complete']);
  await fixture.untilTold();
});
afterAll(() => fixture.close());
afterEach(() => fixture.dataSource.query('DELETE FROM endpoints'));

const environment = () => ({ id: fixture.environmentId, name: 'development' });
async function collect(limit?: number): Promise<PublicEvent[]> {
  const events: PublicEvent[] = [];
  for (let cursor: string | undefined, isOver = false; !isOver;) {
    isOver = true;
    const options = {
      from: 'beginning',
      ...(limit && { limit }),
      ...(cursor !== undefined && { cursor }),
    } as const;
    for await (const batch of exportEvents(
      fixture.database,
      fixture.dataSource.manager,
      environment(),
      options,
    )) {
      events.push(...batch.events);
      cursor = batch.cursor;
      isOver = limit === undefined;
    }
  }
  return events;
}
const isOf = (user: string) => (event: Partial<PublicEvent>) => event.user === user;

describe('on hash-partitioned tables', () => {
  test('the events are in every partition', async () => {
    const rows = (await fixture.dataSource.query(
      'SELECT DISTINCT tableoid FROM flow_events',
    )) as unknown[];
    expect(rows).toHaveLength(4);
  });

  test('an export has every event once, in one order, whole or in pieces (E1, E11)', async () => {
    const all = await collect();
    expect(new Set(all.map(({ id }) => id)).size).toBe(USERS.length * PLAYED.length);
    for (const user of USERS)
      expect(all.filter(isOf(user)).map(({ type }) => type)).toEqual(PLAYED);
    // Users came one after the other, so that a partition after the other would be another order.
    expect([...new Set(all.map(({ user }) => user))]).toEqual(USERS);
    expect(await collect(7)).toEqual(all);
  });

  test('the log is read by the index of each partition, and only as far as is asked', async () => {
    await fixture.dataSource.query('ANALYZE');
    const rows: { 'QUERY PLAN': string }[] = await fixture.dataSource.query(
      `EXPLAIN SELECT * FROM flow_events e WHERE (e.place, e.user_id, e.flow, e.version, e.revision) > (1, '${'0'.repeat(8)}-0000-0000-0000-000000000000', '', 0, 0)
       ORDER BY e.place, e.user_id, e.flow, e.version, e.revision LIMIT 5`,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('Merge Append');
    expect(plan.match(/Index Scan using flow_events_\d+_flow_events_by_place/g)).toHaveLength(4);
  });

  test('an endpoint hears every event, each state in order (E8)', async () => {
    const receiver = await Receiver.open();
    await addEndpoint(
      fixture.dataSource,
      fixture.environmentId,
      { name: 'sink', url: receiver.url, from: 'beginning' },
      BY,
    );
    const sending = { allowPrivateAddresses: true, timeoutMs: 2_000 };
    const worker = new DeliveryWorker(fixture.database, { sending, pollMs: 20, idleMs: 20 });
    worker.start();
    await receiver.until((all) => all.length >= USERS.length * PLAYED.length);
    await until(
      async () =>
        (await listEndpoints(fixture.dataSource.manager, fixture.environmentId))[0]!.backlog === 0,
    );
    await worker.stop();
    const told = receiver.documents.map(({ data }) => data as Partial<PublicEvent>);
    for (const user of USERS)
      expect(told.filter(isOf(user)).map(({ type }) => type)).toEqual(PLAYED);
    receiver.close();
  });

  test('old events are pruned, and none that an endpoint waits for (E12)', async () => {
    await fixture.dataSource.query(
      "UPDATE flow_events SET at = now() - interval '100 days' WHERE revision = 1",
    );
    await addEndpoint(
      fixture.dataSource,
      fixture.environmentId,
      { name: 'slow', url: 'http://127.0.0.1/', from: 'beginning' },
      BY,
    );
    const prune = (evenUndelivered: boolean) => {
      const before = new Date(Date.now() - 24 * 3_600_000);
      return pruneEvents(
        fixture.dataSource,
        fixture.environmentId,
        { before, evenUndelivered },
        BY,
      );
    };
    expect(await prune(false)).toEqual({ deleted: 0, kept: USERS.length, heldBy: 'slow' });
    expect(await prune(true)).toEqual({ deleted: USERS.length, kept: 0, heldBy: null });
    expect((await collect()).map(({ type }) => type)).toEqual(USERS.flatMap(() => PLAYED.slice(2)));
  });
});
