import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { card, defineFlow } from '@waymark/testing/builders';
import { startFaultProxy } from '@waymark/testing/fault-proxy';
import { Fixture } from '@waymark/testing/fixture';
import { Database } from '../../database/index.js';
import { createDataSource } from '../../schema/index.js';
import { BEGINNING } from '../../events/reader/log-position.js';
import { LogReader } from './log-reader.js';

let fixture: Fixture;
let log: LogReader;
let now: number;
beforeAll(async () => {
  fixture = await Fixture.open();
  await fixture.commit(defineFlow({ flow: 'tour', blocks: { hello: card() } }));
  await fixture.commit(defineFlow({ flow: 'other', blocks: { alone: card() } }));
  await fixture.identifyAll(['ada', 'bob', 'cid', 'dan'], () => ({}));
  await fixture.read('ada', 'tour');
  await fixture.untilTold();
});
afterAll(() => fixture.close());
beforeEach(() => {
  now = 0;
  log = new LogReader(fixture.database, () => now);
});

const filter = (flows: string[] = []) => ({
  environmentId: fixture.environmentId,
  flows,
  drafts: false,
  since: null,
});
const usersOf = async (flows: string[] = [], size = 10) =>
  (await log.read(BEGINNING, filter(flows), size)).steps.map(({ user }) => user);

test('what was read ahead is used once, and what happened since comes with the next read (E8)', async () => {
  const before = await usersOf();
  await log.prepare(BEGINNING, filter(), 10);
  await fixture.read('bob', 'tour');
  await fixture.untilTold();
  expect(await usersOf()).toEqual(before);
  expect(await usersOf()).toEqual([...before, 'bob']);
});

test('what was read ahead is too old after a second: somebody may have been deleted (E5, E8)', async () => {
  await log.prepare(BEGINNING, filter(), 10);
  await fixture.read('cid', 'tour');
  await fixture.untilTold();
  now = 1_000;
  expect(await usersOf()).toContain('cid');
});

test('another filter or another length is read by itself (E8)', async () => {
  await log.prepare(BEGINNING, filter(), 10);
  await fixture.read('dan', 'other');
  await fixture.untilTold();
  expect(await usersOf(['other'])).toEqual(['dan']);
  await log.prepare(BEGINNING, filter(), 10);
  expect(await usersOf([], 1)).toHaveLength(1);
});

test('where reading ahead failed it is read again, and the reader hears what is wrong (E8)', async () => {
  const { url } = fixture.testDatabase;
  const proxy = await startFaultProxy({ port: Number(new URL(url).port) });
  const limits = { statementTimeoutMs: 0, connectTimeoutMs: 5_000, answerTimeoutMs: 0 };
  const dataSource = await createDataSource({
    url: proxy.through(url),
    poolSize: 2,
    applicationName: 'away',
    ...limits,
  }).initialize();
  log = new LogReader(new Database(dataSource), () => now);
  proxy.set({ kind: 'refuse' });
  proxy.reset();
  await log.prepare(BEGINNING, filter(), 10);
  await expect(usersOf()).rejects.toMatchObject({ code: 'database.unavailable' });
  proxy.heal();
  expect(await usersOf([], 1)).toEqual(['ada']);
  await dataSource.destroy();
  await proxy.close();
});
