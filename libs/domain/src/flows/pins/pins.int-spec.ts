import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { card, defineFlow } from '@waymark/testing/builders';
import { Fixture } from '@waymark/testing/fixture';
import { getEnvironment } from '../../access/index.js';
import { archiveFlow } from '../publish/archive-flow.js';
import { listFlows } from '../versions/list-flows.js';
import { listVersions } from '../versions/list-versions.js';
import { pinFlow, unpinFlow } from './pin-flow.js';

const AUTHOR = { by: 'ann' };
const ofBlocks = (...ids: string[]) =>
  defineFlow({ flow: 'pinned', blocks: Object.fromEntries(ids.map((id) => [id, card()])) });

let fixture: Fixture;
let production: string;
beforeAll(async () => {
  fixture = await Fixture.open();
  production = (await getEnvironment(fixture.dataSource, 'production')).id;
  await fixture.commit(ofBlocks('a'));
  await fixture.commit(ofBlocks('a', 'b'));
});
afterAll(() => fixture.close());
beforeEach(() => fixture.dataSource.query('DELETE FROM flow_pins'));

const latestIn = async (environmentId: string) => {
  await fixture.catalogue.refresh();
  return (await fixture.catalogue.getFlow('pinned', 'latest', environmentId)).version;
};
const pin = (version: number) => pinFlow(fixture.dataSource, production, 'pinned', version, AUTHOR);

describe('a pin', () => {
  test('says what latest means, in its environment alone, until it is unpinned (S34)', async () => {
    await pin(1);
    expect([await latestIn(production), await latestIn(fixture.environmentId)]).toEqual([1, 2]);
    await fixture.commit(ofBlocks('a', 'b', 'c'));
    expect([await latestIn(production), await latestIn(fixture.environmentId)]).toEqual([1, 3]);
    await pin(2);
    expect(await latestIn(production)).toBe(2);
    expect(await unpinFlow(fixture.dataSource, production, 'pinned', AUTHOR)).toBe(2);
    expect(await latestIn(production)).toBe(3);
    expect(await unpinFlow(fixture.dataSource, production, 'pinned', AUTHOR)).toBeNull();
  });

  test('leaves numbers what they are: a higher version can still be asked for (S34)', async () => {
    await pin(1);
    await fixture.catalogue.refresh();
    expect((await fixture.catalogue.getFlow('pinned', 2, production)).version).toBe(2);
  });

  test('outlives the archive (S34, B12)', async () => {
    await pin(1);
    await archiveFlow(fixture.dataSource, 'pinned', AUTHOR);
    await fixture.apply(ofBlocks('a', 'b', 'c'));
    expect(await latestIn(production)).toBe(1);
  });

  test.each([
    [0, 'request.invalid'],
    [99, 'version.unknown'],
  ])('names a committed version, not %i (S34)', async (version, code) => {
    await expect(pin(version)).rejects.toMatchObject({ code });
    await expect(
      unpinFlow(fixture.dataSource, production, 'unheard-of', AUTHOR),
    ).rejects.toMatchObject({ code: 'flow.unknown' });
  });

  test('is told with the flow and with its versions (S34)', async () => {
    await pin(1);
    expect(await listFlows(fixture.dataSource.manager)).toMatchObject([
      { flow: 'pinned', pins: { production: 1 } },
    ]);
    const versions = await listVersions(fixture.dataSource.manager, 'pinned');
    expect(versions.map(({ version, pinnedIn }) => [version, pinnedIn])).toEqual([
      [3, []],
      [2, []],
      [1, ['production']],
      [0, []],
    ]);
  });
});

test('versions are told with their users in progress, each in the highest version they have met', async () => {
  for (const user of ['one', 'two', 'three', 'four']) await fixture.identify(user);
  for (const user of ['one', 'two', 'three']) await fixture.read(user, 'pinned', 1);
  await fixture.read('two', 'pinned', 2);
  await fixture.run('three', 'pinned', 1, { kind: 'stop' });
  await fixture.read('four', 'pinned', 0);
  const versions = await listVersions(fixture.dataSource.manager, 'pinned');
  expect(versions.map(({ version, inProgress }) => [version, inProgress])).toEqual([
    [3, 0],
    [2, 1],
    [1, 1],
    [0, 1],
  ]);
  await expect(listVersions(fixture.dataSource.manager, 'unheard-of')).rejects.toMatchObject({
    code: 'flow.unknown',
  });
});

test('a flow committed a moment ago is found at once, before the watch tells of it', async () => {
  const other = await fixture.replica();
  await other.catalogue.refresh();
  await fixture.commit(defineFlow({ flow: 'sudden', blocks: { s: card() } }));
  expect(await other.catalogue.getFlow('sudden', 1)).toMatchObject({ version: 1 });
});

test('a flood of requests for what is unknown looks ten times a second at most', async () => {
  const { catalogue } = await fixture.replica();
  let looks = 0;
  await catalogue.refresh();
  catalogue.onRefresh(() => void looks++);
  const before = performance.now();
  await Promise.all(
    Array.from({ length: 500 }, () => catalogue.getFlow('unheard-of', 1).catch(() => undefined)),
  );
  expect(looks).toBeLessThanOrEqual(1 + (performance.now() - before) / 100);
  expect(looks).toBeGreaterThan(0);
});
