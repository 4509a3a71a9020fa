import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Fixture } from '@waymark/testing/fixture';
import { listAudit } from '../../database/audit/index.js';
import { parseFlowFile } from '../../flow-files/index.js';
import { findUsers } from '../../records/index.js';
import { ResetUsers } from '../../states/index.js';
import { publishFlows } from '../publish/publish-flows.js';
import { revertFlow } from '../publish/revert-flow.js';
import { loadFlowVersion } from '../versions/load-version.js';
import { loadSegments } from './segment.js';
import { SEGMENTS_FILE } from './segments.js';
import { applySharedFile, hashSharedFile } from './shared-file.js';

const author = { by: 'tester' };
const PRO = { pro: 'user.properties.plan == "pro"' };
const GOLD = { pro: 'user.properties.plan == "gold"' };

let fixture: Fixture;
beforeAll(async () => {
  fixture = await Fixture.open();
  await fixture.identify('ada', { plan: 'pro' });
  await fixture.identify('bob', { plan: 'gold' });
});
afterAll(() => fixture.close());

const flow = (name: string, when = 'segment("pro")') =>
  `flow: ${name}\ntarget: { users: matching, when: '${when}' }\nstart: ${name}-a\nblocks:\n  ${name}-a: { type: card, paths: { complete: finish } }\n`;

async function publish(texts: string[], message?: string) {
  const drafts = texts.map((text) => parseFlowFile(text, { file: 'f' }).draft!);
  const words = message === undefined ? undefined : { message, migration: 'carry-over' as const };
  const sources = new Map(drafts.map((draft, index) => [draft.flow, { text: texts[index]! }]));
  const done = await publishFlows(fixture.dataSource, drafts, author, words, sources);
  await fixture.catalogue.refresh();
  return done;
}

async function apply(segments: Record<string, string>, ifMatch?: string) {
  const done = await applySharedFile(
    fixture.dataSource,
    SEGMENTS_FILE,
    segments,
    author,
    ifMatch === undefined ? {} : { ifMatch },
  );
  await fixture.catalogue.refresh();
  return done;
}

const starts = async (user: string, name: string, version: number | 'latest') =>
  (await fixture.read(user, name, version)).state.started;

test('a commit keeps what its segments meant, and version 0 means what they mean now (Z6)', async () => {
  await apply(PRO);
  await publish([flow('kept')], 'first');
  expect(await starts('ada', 'kept', 'latest')).toBe(true);
  expect(await apply({ ...GOLD, more: 'true' })).toEqual({
    added: ['more'],
    changed: ['pro'],
    removed: [],
    flows: ['kept'],
  });
  expect(await starts('bob', 'kept', 'latest')).toBe(false);
  expect(await starts('bob', 'kept', 0)).toBe(true);
  expect(await starts('ada', 'kept', 0)).toBe(false);
  expect(await publish([flow('kept')], 'second')).toMatchObject([{ version: 2, committed: true }]);
  expect(await starts('bob', 'kept', 2)).toBe(true);
  expect(await publish([flow('kept')], 'third')).toMatchObject([{ version: 2, committed: false }]);
  const [entry] = await listAudit(fixture.dataSource.manager, { what: 'segment.apply', limit: 1 });
  expect(entry!.result).toEqual({
    outcome: 'done',
    added: ['more'],
    changed: ['pro'],
    removed: [],
    flows: ['kept'],
  });
});

test('a former version made the draft again means what segments mean now (Z6)', async () => {
  await apply(GOLD);
  await publish([flow('back')], 'first');
  await publish([flow('back', 'segment("pro") OR 1 == 2')], 'second');
  await apply(PRO);
  await revertFlow(fixture.dataSource, 'back', 1, author);
  const { manager } = fixture.dataSource;
  expect((await loadFlowVersion(manager, 'back', 0)).definition.segments).toEqual(PRO);
  expect((await loadFlowVersion(manager, 'back', 1)).definition.segments).toEqual(GOLD);
});

test('segments that drafts mention stay, and unknown ones are refused (Z6)', async () => {
  await apply(PRO);
  await publish([flow('uses')]);
  const refused = { code: 'definition.refused', message: expect.stringMatching(/flow .*"pro"/) };
  await expect(apply({ other: 'true' })).rejects.toMatchObject(refused);
  await expect(SEGMENTS_FILE.diff(fixture.dataSource.manager, GOLD, {})).rejects.toMatchObject(
    refused,
  );
  expect(await loadSegments(fixture.dataSource.manager)).toEqual(PRO);
  await expect(publish([flow('lost', 'segment("lost")')])).rejects.toMatchObject({
    code: 'definition.refused',
    message: expect.stringContaining('found the unknown segment "lost", expected one of pro'),
  });
  expect((await SEGMENTS_FILE.listFlows(fixture.dataSource.manager)).get('pro')).toContain('uses');
});

test('segments that somebody else has changed are refused (Z6, T6)', async () => {
  await apply(PRO);
  await apply(GOLD, hashSharedFile(SEGMENTS_FILE, PRO));
  await expect(apply(PRO, hashSharedFile(SEGMENTS_FILE, PRO))).rejects.toMatchObject({
    code: 'flow.changed',
    message: expect.stringContaining(hashSharedFile(SEGMENTS_FILE, GOLD)),
  });
});

test('users are listed and reset by segment, and the run keeps what it meant (Z6)', async () => {
  await apply(PRO);
  await publish([flow('reset', 'true')], 'first');
  for (const user of ['ada', 'bob']) await fixture.read(user, 'reset', 1);
  const { dataSource, environmentId, runner, changes, catalogue } = fixture;
  const found = [];
  for await (const { identifier } of findUsers(dataSource, environmentId, {
    when: 'segment("pro")',
  }))
    found.push(identifier);
  expect(found).toEqual(['ada']);
  const options = { when: 'segment("pro")', force: false };
  const done = await new ResetUsers(dataSource, runner, changes).run(
    environmentId,
    await catalogue.getFlow('reset', 1),
    options,
    author,
  );
  expect(done).toMatchObject({ matched: 1, reset: 1 });
  expect(await dataSource.query('SELECT condition FROM reset_runs')).toEqual([
    { condition: '(user.properties.plan == "pro")' },
  ]);
});

test('flows and segments that are applied at the same time end with one meaning (Z6)', async () => {
  await apply(PRO);
  const rounds = Array.from({ length: 20 }, (_, round) => round);
  await Promise.all(
    rounds.flatMap((round) => [
      publish([flow(`plain${round}`, 'true'), flow(`race${round}`)], 'race'),
      apply(round % 2 ? PRO : GOLD),
    ]),
  );
  const present = await loadSegments(fixture.dataSource.manager);
  const drafts: { segments: unknown }[] = await fixture.dataSource.query(
    "SELECT definition->'segments' AS segments FROM flow_versions WHERE version = 0 AND flow LIKE 'race%'",
  );
  expect(drafts).toEqual(rounds.map(() => ({ segments: present })));
});

test('a commit keeps segments that its segments mention, and no others (Z6)', async () => {
  const used = { ...PRO, known: 'segment("pro") AND user.identifier == "ada"' };
  await apply({ ...used, other: 'true' });
  await publish([flow('nested', 'segment("known")')], 'first');
  const { definition } = await loadFlowVersion(fixture.dataSource.manager, 'nested', 1);
  expect(definition.segments).toEqual(used);
  expect(await starts('ada', 'nested', 1)).toBe(true);
  expect(await starts('bob', 'nested', 1)).toBe(false);
});
