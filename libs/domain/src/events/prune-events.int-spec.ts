import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { card, defineFlow } from '@waymark/testing/builders';
import { Fixture } from '@waymark/testing/fixture';
import { randomUUID } from 'node:crypto';
import { applySharedFile, ATTENTION_FILE } from '../flows/index.js';
import { listAudit } from '../database/audit/index.js';
import { pruneEvents, type PruneOptions } from './index.js';
import { addEndpoint } from '../outbound/index.js';

const BY = { by: 'test' };
const before = new Date('2026-03-01T00:00:00Z');
let fixture: Fixture;

beforeEach(async () => {
  fixture = await Fixture.open();
  await fixture.commit(
    defineFlow({ flow: 'tour', blocks: { hello: card({ complete: 'hello' }) } }),
  );
  const users = Array.from({ length: 1_500 }, (_, index) => `user-${index}`);
  await fixture.identifyAll(users, () => ({}));
  // Two old events of each, of one place as before the migration, and a new one.
  await fixture.dataSource.query(
    `INSERT INTO flow_events (user_id, flow, version, revision, at, event)
     SELECT user_id, 'tour', 1, n, '2026-02-01T00:00:00Z', '{"format":1,"cause":{"kind":"stop"},"changes":[]}' FROM users, generate_series(1, 2) n`,
  );
  await fixture.dataSource.query(
    `INSERT INTO flow_events (user_id, flow, version, revision, at, event)
     SELECT user_id, 'tour', 1, 3, '2026-04-01T00:00:00Z', '{"format":1,"cause":{"kind":"stop"},"changes":[]}' FROM users`,
  );
  // As a server does by itself after a while.
  await fixture.dataSource.query('ANALYZE');
});
afterEach(() => fixture.close());

const prune = (options: Partial<PruneOptions> = {}) =>
  pruneEvents(fixture.dataSource, fixture.environmentId, { before, ...options }, BY);
const remaining = async () => {
  const rows: { revision: number; count: number }[] = await fixture.dataSource.query(
    'SELECT revision, count(*)::int FROM flow_events GROUP BY revision ORDER BY revision',
  );
  return rows.map(({ revision, count }) => [revision, count]);
};

test('what is older goes in small batches, the rest stays, and it is told (E12)', async () => {
  expect(await prune({ dryRun: true })).toEqual({ deleted: 3_000, kept: 0, heldBy: null });
  expect(await remaining()).toEqual([
    [1, 1_500],
    [2, 1_500],
    [3, 1_500],
  ]);
  const batches: number[] = [];
  expect(await prune({ onProgress: ({ deleted }) => batches.push(deleted) })).toEqual({
    deleted: 3_000,
    kept: 0,
    heldBy: null,
  });
  expect(batches.length).toBeGreaterThan(3);
  expect(await remaining()).toEqual([[3, 1_500]]);
  expect(await listAudit(fixture.dataSource.manager)).toMatchObject([
    { action: 'events.prune', result: { outcome: 'done', deleted: 3_000 } },
  ]);
});

test('resets as old go off the record with the events they would be undone by, killed ones too (E12)', async () => {
  const add = async (
    flow: string,
    month: number,
    finished: boolean,
    undoes: string | null = null,
  ): Promise<string> => {
    const at = `2026-0${month}-01T00:00:00Z`;
    const rows: { id: string }[] = await fixture.dataSource.query(
      `INSERT INTO reset_runs (environment_id, flow, version, force, undoes, created_at, updated_at, finished_at)
       VALUES ($1, $2, 1, false, $3, $4, $4, $5) RETURNING id`,
      [fixture.environmentId, flow, undoes, at, finished ? at : null],
    );
    return rows[0]!.id;
  };
  await add('killed', 1, false);
  const undone = await add('undone', 1, true);
  await add('undo of an undo', 2, true, await add('undo', 2, true, undone));
  await add('young undo', 4, true, await add('undone lately', 1, true));
  await add('young', 4, false);
  await prune({ dryRun: true });
  const flows = async () => {
    const rows: { flow: string }[] = await fixture.dataSource.query(
      'SELECT flow FROM reset_runs ORDER BY flow',
    );
    return rows.map(({ flow }) => flow);
  };
  expect(await flows()).toHaveLength(7);
  await prune();
  expect(await flows()).toEqual(['undone lately', 'young', 'young undo']);
});

test('a prune that was broken off is continued by the next one (E12)', async () => {
  const end = new AbortController();
  await expect(prune({ onProgress: () => end.abort(), signal: end.signal })).rejects.toThrow(
    'aborted',
  );
  expect(await prune()).toMatchObject({ deleted: 2_000 });
});

test('what an endpoint waits for stays, unless that is asked for (E12)', async () => {
  await addEndpoint(
    fixture.dataSource,
    fixture.environmentId,
    { name: 'slow', url: 'http://127.0.0.1/', from: 'beginning' },
    BY,
  );
  expect(await prune()).toEqual({ deleted: 0, kept: 3_000, heldBy: 'slow' });
  expect(await prune({ evenUndelivered: true })).toEqual({ deleted: 3_000, kept: 0, heldBy: null });
});

test('other environments keep theirs (E12)', async () => {
  const [row] = (await fixture.dataSource.query(
    "SELECT id FROM environments WHERE name = 'production'",
  )) as { id: string }[];
  expect(await pruneEvents(fixture.dataSource, row!.id, { before }, BY)).toMatchObject({
    deleted: 0,
  });
  expect(await remaining()).toHaveLength(3);
});

test('starts in attention groups go where they are older and no limit counts them any more (Q7)', async () => {
  const day = 86_400_000;
  const limit = { starts: 2, per: 200 * day };
  await applySharedFile(
    fixture.dataSource,
    ATTENTION_FILE,
    new Map([
      ['long', { limit }],
      ['free', {}],
    ]),
    BY,
  );
  const now = Date.now();
  const recent = [now - 300 * day, now - 100 * day, now - day];
  await fixture.dataSource.query(
    `INSERT INTO attention_states (user_id, "group", places, starts)
     SELECT user_id, g, '{"tour": 1}', $1 FROM users, unnest(ARRAY['long', 'free', 'gone']) g`,
    [JSON.stringify(recent)],
  );
  const kept = () =>
    fixture.dataSource.query(
      'SELECT "group", starts, revision, places, count(*)::int FROM attention_states GROUP BY 1, 2, 3, 4 ORDER BY 1',
    );
  await prune({ before: new Date(now - 50 * day), dryRun: true });
  await pruneEvents(fixture.dataSource, randomUUID(), { before: new Date(now) }, BY);
  expect(await kept()).toMatchObject([{ revision: 0 }, { revision: 0 }, { revision: 0 }]);
  await prune({ before: new Date(now - 50 * day) });
  const row = { revision: 1, places: { tour: 1 }, count: 1_500 };
  expect(await kept()).toEqual([
    { group: 'free', starts: recent.slice(2), ...row },
    { group: 'gone', starts: recent.slice(2), ...row },
    { group: 'long', starts: recent.slice(1), ...row },
  ]);
});
