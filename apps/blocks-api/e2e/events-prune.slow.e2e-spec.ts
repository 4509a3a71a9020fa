import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pruneEvents, type PublicEvent } from '@waymark/domain/events';
import { addEndpoint, listEndpoints } from '@waymark/domain/outbound';
import { card, defineFlow } from '@waymark/testing/builders';
import { Receiver, until } from '@waymark/testing/services';
import { BlocksService } from './blocks-service.js';

const BY = { by: 'test' };
const USERS = Array.from({ length: 8 }, (_, index) => `user-${index}`);
/** That happened longer ago than a month, of each user. */
const OLD = 500;
const TURNS = 60;

let blocks: BlocksService;
let receiver: Receiver;
beforeAll(async () => {
  blocks = await BlocksService.open({ WEBHOOK_PRIVATE_ADDRESSES: 'on' });
  receiver = await Receiver.open();
  await blocks.fixture.commit(
    defineFlow({ flow: 'tour', blocks: { hello: card({ complete: 'hello' }) } }),
  );
  await blocks.fixture.identifyAll(USERS, () => ({}));
  await blocks.fixture.dataSource.query(
    `INSERT INTO flow_events (user_id, flow, version, revision, at, event)
     SELECT user_id, 'old', 1, n, now() - interval '60 days', '{"format":1,"cause":{"kind":"stop"},"changes":[{"kind":"flow","stopped":true}]}'
     FROM users, generate_series(1, ${OLD}) n`,
  );
  for (const user of USERS) await blocks.get(`/v2/flow/tour?userIdentifier=${user}&version=1`);
});
afterAll(async () => {
  receiver.close();
  await blocks.close();
});

/** A user who leaves the block and so comes back to it, again and again; the answers' statuses. */
async function walk(user: string): Promise<number[]> {
  const statuses: number[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    const path = `/v2/block/tour.hello/transition?userIdentifier=${user}&version=1&transitions=complete`;
    statuses.push(
      (await blocks.post(path)).status,
      (await blocks.get(`/v2/flow/tour?userIdentifier=${user}&version=1`)).status,
    );
  }
  return statuses;
}

async function pruneUntil(isOver: () => boolean, before: () => Date): Promise<number> {
  const { dataSource, environmentId } = blocks.fixture;
  let deleted = 0;
  while (!isOver())
    deleted += (await pruneEvents(dataSource, environmentId, { before: before() }, BY)).deleted;
  return deleted;
}

const backlog = async () =>
  (await listEndpoints(blocks.fixture.dataSource.manager, blocks.fixture.environmentId))[0]!
    .backlog;

test('events are pruned while traffic runs: no request fails, and nothing goes that a follower waits for (E12)', async () => {
  const { dataSource, environmentId } = blocks.fixture;
  await addEndpoint(
    dataSource,
    environmentId,
    { name: 'sink', url: receiver.url, from: 'now' },
    BY,
  );
  let isOver = false;
  // Events may be deleted as soon as they are delivered, even new ones: harder than any real
  // retention.
  const pruning = pruneUntil(
    () => isOver,
    () => new Date(Date.now() + 60_000),
  );
  const statuses = await Promise.all(USERS.map(walk)).finally(() => (isOver = true));
  expect(new Set(statuses.flat())).toEqual(new Set([200, 204]));
  expect(await pruning).toBeGreaterThanOrEqual(USERS.length * OLD);
  await until(async () => (await backlog()) === 0);

  // A receiver that answers late hears an event again, with the same id.
  const told = [
    ...new Map(
      receiver.documents.map(({ data }) => [data['id'], data as Partial<PublicEvent>]),
    ).values(),
  ];
  const revisions = Array.from({ length: TURNS }, (_, turn) => turn + 2);
  for (const user of USERS) {
    const exited = told.filter((event) => event.user === user && event.type === 'block.exited');
    expect(exited.map(({ revision }) => revision)).toEqual(revisions);
    expect((await blocks.fixture.findState(user, 'tour', 1))?.revision).toBe(TURNS + 1);
  }
});
