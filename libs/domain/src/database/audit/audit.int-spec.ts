import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Fixture } from '@waymark/testing/fixture';
import { DomainError } from '../errors/index.js';
import { AuditEntry, listAudit, pruneAudit, recordChange, recordWork } from './index.js';

const AUTHOR = { by: 'ann', reason: 'asked by support' };

let fixture: Fixture;
beforeAll(async () => {
  fixture = await Fixture.open();
});
afterAll(() => fixture.close());
beforeEach(() => fixture.dataSource.getRepository(AuditEntry).clear());

const list = (filter?: Parameters<typeof listAudit>[1]) =>
  listAudit(fixture.dataSource.manager, filter);
const environments = () => fixture.dataSource.query('SELECT name FROM environments ORDER BY name');
const refuse = () => Promise.reject(new DomainError('flow.unknown', 'there is no flow "secret"'));

describe('a change of one transaction', () => {
  test('leaves one row with who, what, why and what came of it (I7)', async () => {
    const act = { action: 'flow.commit', subject: 'tour', environmentId: fixture.environmentId };
    const done = await recordChange(fixture.dataSource, act, AUTHOR, async (_, notes) => {
      notes.result = { version: 4 };
      return 'done';
    });
    expect(done).toBe('done');
    expect(await list()).toEqual([
      {
        at: expect.any(Date),
        by: 'ann',
        action: 'flow.commit',
        subject: 'tour',
        userId: null,
        environment: 'development',
        reason: 'asked by support',
        result: { outcome: 'done', version: 4 },
      },
    ]);
  });

  test('names the program that acted for the author, in what came of it (M2)', async () => {
    const author = { by: 'ann', client: 'an agent' };
    await recordChange(fixture.dataSource, { action: 'flow.commit' }, author, () =>
      Promise.resolve(),
    );
    await expect(
      recordChange(fixture.dataSource, { action: 'flow.archive' }, author, refuse),
    ).rejects.toMatchObject({ code: 'flow.unknown' });
    expect((await list()).map(({ by, result }) => [by, result])).toEqual([
      ['ann', { outcome: 'refused', code: 'flow.unknown', client: 'an agent' }],
      ['ann', { outcome: 'done', client: 'an agent' }],
    ]);
  });

  test('that is refused is taken back and leaves the code of the refusal, not its words (I7)', async () => {
    const change = recordChange(
      fixture.dataSource,
      { action: 'flow.archive' },
      AUTHOR,
      async (manager, notes) => {
        await manager.query("INSERT INTO environments (name) VALUES ('half')");
        notes.result = { made: 1 };
        return refuse();
      },
    );
    await expect(change).rejects.toMatchObject({ code: 'flow.unknown' });
    expect(await environments()).not.toContainEqual({ name: 'half' });
    expect(await list()).toMatchObject([
      { action: 'flow.archive', result: { outcome: 'refused', code: 'flow.unknown' } },
    ]);
    expect(JSON.stringify(await list())).not.toMatch(/secret|made/);
  });

  test('is not made where its row cannot be written (I7)', async () => {
    const act = { action: 'x'.repeat(65) };
    const change = recordChange(fixture.dataSource, act, AUTHOR, (manager) =>
      manager.query("INSERT INTO environments (name) VALUES ('unseen')"),
    );
    await expect(change).rejects.toThrow('too long');
    expect(await environments()).not.toContainEqual({ name: 'unseen' });
  });
});

describe('work of many transactions', () => {
  test('is in the log from its beginning, and its result when it ends (I7)', async () => {
    await recordWork(fixture.dataSource, { action: 'reset.run' }, AUTHOR, async (notes) => {
      expect(await list()).toMatchObject([{ action: 'reset.run', result: { outcome: 'begun' } }]);
      notes.result = { reset: 7 };
    });
    expect(await list()).toMatchObject([{ result: { outcome: 'done', reset: 7 } }]);
  });

  test.each([
    ['refused', refuse, { outcome: 'refused', code: 'flow.unknown', reset: 3 }],
    ['stopped', () => Promise.reject(AbortSignal.abort().reason), { outcome: 'stopped', reset: 3 }],
    ['broken off', () => Promise.reject(new Error('disk full')), { outcome: 'failed', reset: 3 }],
  ])('that is %s half-way says how far it came, in the same row (I7)', async (_, end, result) => {
    const work = recordWork(fixture.dataSource, { action: 'reset.run' }, AUTHOR, async (notes) => {
      notes.result = { reset: 3 };
      await end();
    });
    await expect(work).rejects.toThrow();
    expect((await list()).map((entry) => entry.result)).toEqual([result]);
  });
});

test.each([
  ['nobody', { by: ' ' }],
  ['a name without end', { by: 'a'.repeat(257) }],
  ['a reason without end', { by: 'ann', reason: 'a'.repeat(1_001) }],
  ['a program with a name without end', { by: 'ann', client: 'a'.repeat(65) }],
  ['what PostgreSQL cannot keep', { by: 'a\0' }],
])('%s is refused as an author before anything is done (I7)', async (_, author) => {
  const change = recordChange(fixture.dataSource, { action: 'flow.archive' }, author, () =>
    Promise.reject(new Error('was done')),
  );
  await expect(change).rejects.toMatchObject({ code: 'request.invalid' });
  expect(await list()).toEqual([]);
});

test('the log is told newest first, by person, kind, user and time (I7)', async () => {
  const userId = '6f1c7a1e-0000-4000-8000-000000000001';
  const acts = [
    ['ann', { action: 'flow.commit' }],
    ['bob', { action: 'flow.archive' }],
    ['ann', { action: 'flowers.water', userId }],
  ] as const;
  for (const [by, act] of acts)
    await recordChange(fixture.dataSource, act, { by }, () => Promise.resolve());
  // Times are told in milliseconds, of which one is enough for all three.
  await fixture.dataSource.query(
    "UPDATE audit_log SET at = at - interval '1 minute' WHERE action <> 'flowers.water'",
  );
  const actions = async (filter?: Parameters<typeof list>[0]) =>
    (await list(filter)).map(({ action }) => action);
  expect(await actions()).toEqual(['flowers.water', 'flow.archive', 'flow.commit']);
  expect(await actions({ by: 'ann' })).toEqual(['flowers.water', 'flow.commit']);
  expect(await actions({ what: 'flow' })).toEqual(['flow.archive', 'flow.commit']);
  expect(await actions({ what: 'flow.commit' })).toEqual(['flow.commit']);
  expect(await actions({ userId })).toEqual(['flowers.water']);
  expect(await actions({ limit: 1 })).toEqual(['flowers.water']);
  const [newest] = await list();
  expect(await actions({ since: newest!.at })).toEqual(['flowers.water']);
});

test('pruning deletes what is older, and says so (I7)', async () => {
  for (const action of ['flow.commit', 'flow.archive']) {
    await recordChange(fixture.dataSource, { action }, AUTHOR, () => Promise.resolve());
  }
  await fixture.dataSource.query(
    "UPDATE audit_log SET at = '2020-01-01' WHERE action = 'flow.commit'",
  );
  expect(await pruneAudit(fixture.dataSource, new Date('2021-01-01'), { by: 'bob' })).toBe(1);
  expect(await list()).toMatchObject([
    {
      by: 'bob',
      action: 'audit.prune',
      subject: 'before 2021-01-01T00:00:00.000Z',
      result: { outcome: 'done', deleted: 1 },
    },
    { action: 'flow.archive' },
  ]);
});
