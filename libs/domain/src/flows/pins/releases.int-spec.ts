import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { card, defineFlow } from '@waymark/testing/builders';
import { Fixture } from '@waymark/testing/fixture';
import { getEnvironment } from '../../access/index.js';
import { explainUser, planRelease } from '../../analysis/index.js';
import { userId } from '../../users/index.js';
import { archiveFlow } from '../publish/archive-flow.js';
import { loadLatestIn, pinFlow, unpinFlow } from './pin-flow.js';
import { listReleased, setReleases } from './releases.js';

const author = { by: 'ann' };
const define = (flow: string, ...ids: string[]) =>
  defineFlow({ flow, blocks: Object.fromEntries(ids.map((id) => [`${flow}-${id}`, card()])) });

let fixture: Fixture;
let production: string;
beforeAll(async () => {
  fixture = await Fixture.open();
  production = (await getEnvironment(fixture.dataSource, 'production')).id;
  await fixture.dataSource.query(
    `INSERT INTO users (user_id, environment_id, identifier, properties) VALUES ($1, $2, 'ada', '{}')`,
    [userId(production, 'ada'), production],
  );
  for (const flow of ['one', 'two', 'gone']) await fixture.commit(define(flow, 'a'));
  await fixture.commit(define('one', 'a', 'b'));
  await fixture.apply(define('draft', 'a'));
  await archiveFlow(fixture.dataSource, 'gone', author);
});
afterAll(() => fixture.close());
beforeEach(async () => {
  await releases(false);
  await fixture.dataSource.query('DELETE FROM flow_pins');
});

const releases = (byPin: boolean) => setReleases(fixture.dataSource, 'production', byPin, author);
const latestIn = async (flow: string, environmentId: string) => {
  await fixture.catalogue.refresh();
  return (await fixture.catalogue.getFlow(flow, 'latest', environmentId)).version;
};
const pins = async () =>
  fixture.dataSource.query('SELECT flow, version FROM flow_pins ORDER BY flow');

test('switched on, each flow stays at what latest is there, and commits reach the others alone (Z10)', async () => {
  await pinFlow(fixture.dataSource, production, 'one', 1, author);
  expect(await releases(true)).toEqual({ pinned: 1 });
  expect(await pins()).toEqual([
    { flow: 'one', version: 1 },
    { flow: 'two', version: 1 },
  ]);
  await fixture.commit(define('two', 'a', 'b'));
  expect([await latestIn('two', production), await latestIn('two', fixture.environmentId)]).toEqual(
    [1, 2],
  );
  await pinFlow(fixture.dataSource, production, 'two', 2, author);
  expect(await latestIn('two', production)).toBe(2);
});

test('a flow that was never released is not there, but for its numbers, until it is (Z10, B1)', async () => {
  await releases(true);
  await fixture.commit(define('later', 'a'));
  await expect(latestIn('later', production)).rejects.toMatchObject({
    code: 'flow.unreleased',
    message: 'no version of flow later is released in this environment yet',
  });
  expect((await fixture.catalogue.getFlow('later', 1, production)).version).toBe(1);
  const { manager } = fixture.dataSource;
  expect(await loadLatestIn(manager, production, 'later')).toMatchObject({
    latest: null,
    highest: 1,
  });
  const { reasons } = await explainUser(fixture.dataSource, production, {
    user: 'ada',
    flow: 'later',
  });
  expect(reasons.join()).toContain('later is not released here');
  await pinFlow(fixture.dataSource, production, 'later', 1, author);
  expect(await latestIn('later', production)).toBe(1);
});

test('switched off, pins stay and can be taken away, which they cannot before (Z10)', async () => {
  await releases(true);
  const unpin = () => unpinFlow(fixture.dataSource, production, 'one', author);
  await expect(unpin()).rejects.toMatchObject({
    code: 'request.invalid',
    message: expect.stringMatching(/^production releases by pin.*--by-commit/),
  });
  expect(await listReleased(fixture.dataSource.manager, 'one')).toEqual({ production: 2 });
  await releases(false);
  expect(await pins()).toContainEqual({ flow: 'one', version: 2 });
  expect(await unpin()).toBe(2);
  expect(await listReleased(fixture.dataSource.manager, 'two')).toEqual({});
});

test('switched on while flows are committed, pinned and read, no flow is missing at any time (Z10)', async () => {
  const replica = await fixture.replica();
  let isDone = false;
  const seen: number[] = [];
  const read = async () => {
    while (!isDone) {
      await replica.catalogue.refresh();
      seen.push((await replica.catalogue.getFlow('one', 'latest', production)).version);
    }
  };
  const change = async () => {
    for (let round = 0; round < 20; round++) {
      await Promise.all([
        releases(round % 2 === 0),
        fixture.commit(define('one', 'a', `c${round}`)),
        pinFlow(fixture.dataSource, production, 'two', 1, author),
        releases(true),
      ]);
    }
    isDone = true;
  };
  await Promise.all([read(), change()]);
  expect(seen.length).toBeGreaterThan(0);
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
});

test('what a release would do to users is known beforehand (Z10, I2)', async () => {
  await fixture.commit(define('told', 'a'));
  await releases(true);
  const actor = { environmentId: production, user: 'ada' };
  await fixture.runner.readAll([await fixture.catalogue.getFlow('told', 1)], actor);
  await fixture.commit(define('told', 'b'), 'restart-in-progress');
  const plan = await planRelease(fixture.dataSource, production, { flow: 'told', version: 2 });
  expect(plan).toMatchObject({
    version: 2,
    migration: 'restart-in-progress',
    users: { total: 1, restarted: 1 },
  });
  expect(plan.differences.length).toBeGreaterThan(0);
});
