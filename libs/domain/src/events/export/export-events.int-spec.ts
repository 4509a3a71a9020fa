import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { card, defineFlow } from '@waymark/testing/builders';
import { until } from '@waymark/testing/services';
import { Fixture } from '@waymark/testing/fixture';
import { exportEvents, type ExportOptions, type PublicEvent } from '../index.js';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await Fixture.open();
  await fixture.commit(
    defineFlow({ flow: 'tour', blocks: { hello: card({ complete: 'finish' }) } }),
  );
  await fixture.commit(defineFlow({ flow: 'other', blocks: { alone: card() } }));
  for (const user of ['ada', 'bob', 'cid']) {
    await fixture.identify(user);
    await fixture.read(user, 'tour');
    await fixture.take(user, 'tour', 'latest', 'hello', ['complete']);
    await fixture.read(user, 'other');
  }
  await fixture.untilTold();
});
afterAll(() => fixture.close());

const exporting = (options: Partial<ExportOptions>) =>
  exportEvents(
    fixture.database,
    fixture.dataSource.manager,
    { id: fixture.environmentId, name: 'development' },
    { from: 'beginning', ...options },
  );
async function collect(options: Partial<ExportOptions> = {}) {
  const events: PublicEvent[] = [];
  let cursor: string | undefined;
  for await (const batch of exporting(options)) {
    events.push(...batch.events);
    ({ cursor } = batch);
  }
  return { events, cursor };
}

describe('an export', () => {
  test('has every event once, each state in order (E11)', async () => {
    const { events } = await collect();
    expect(events).toHaveLength(3 * 6);
    expect(new Set(events.map(({ id }) => id)).size).toBe(18);
    const ofAda = events
      .filter(({ user, flow }) => user === 'ada' && flow === 'tour')
      .map(({ type }) => type);
    expect(ofAda).toEqual(['flow.started', 'block.entered', 'block.exited', 'flow.finished']);
  });

  test('has one flow, or so many events, rounded up to the end of a step (E11)', async () => {
    expect((await collect({ flow: 'other' })).events).toHaveLength(6);
    expect((await collect({ limit: 3 })).events).toHaveLength(4);
    expect((await collect({ limit: 4 })).events).toHaveLength(4);
  });

  test('goes on from a cursor without a gap and without a repeat (E11)', async () => {
    const all = (await collect()).events;
    const pieces: PublicEvent[] = [];
    for (let cursor: string | undefined; pieces.length < all.length;) {
      const piece = await collect({ limit: 1, ...(cursor !== undefined && { cursor }) });
      pieces.push(...piece.events);
      cursor = piece.cursor;
    }
    expect(pieces).toEqual(all);
  });

  test.each(['', 'x', 'e30', Buffer.from('["1",2,3]').toString('base64url')])(
    'takes no %j for a cursor (E11)',
    async (cursor) => {
      await expect(collect({ cursor })).rejects.toMatchObject({ code: 'request.invalid' });
    },
  );

  test('takes a cursor of another history only where its event is still there (E2)', async () => {
    const { cursor } = await collect({ limit: 3 });
    const [, ...position] = JSON.parse(Buffer.from(cursor!, 'base64url').toString()) as unknown[];
    const inAnother = (...of: unknown[]) =>
      Buffer.from(JSON.stringify(['000000AA-0', ...of])).toString('base64url');
    expect((await collect({ cursor: inAnother(...position) })).events).toHaveLength(18 - 4);
    await expect(collect({ cursor: inAnother(...position.slice(0, -1), 999) })).rejects.toThrow(
      'another history',
    );
  });

  test('follows what happens until it is told to stop (E11)', async () => {
    await fixture.identify('dan');
    const end = new AbortController();
    const seen: string[] = [];
    const following = (async () => {
      for await (const { events } of exporting({ from: 'now', follow: true, signal: end.signal })) {
        seen.push(...events.map(({ user }) => user));
        end.abort();
      }
    })();
    await fixture.read('dan', 'other');
    await until(async () => {
      // It may have begun after that.
      if (seen.length === 0)
        await fixture.run('dan', 'other', 'latest', { kind: 'reset', force: true });
      return seen.length > 0;
    });
    await following;
    expect(new Set(seen)).toEqual(new Set(['dan']));
  });
});
