import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Fixture } from '@waymark/testing/fixture';
import { parseFlowFile } from '../../flow-files/index.js';
import {
  applyFlows,
  archiveFlow,
  commitFlow,
  assignDraftUids,
  listFlows,
  loadFlowVersion,
  loadLatestVersion,
  wouldCommit,
} from '../index.js';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await Fixture.open();
});
afterAll(() => fixture.close());

const draftOf = (file: object) => {
  const { draft, problems } = parseFlowFile(JSON.stringify(file), { file: 'flow.json' });
  if (!draft) throw new Error(JSON.stringify(problems));
  return draft;
};
const apply = (...files: object[]) =>
  fixture.dataSource.transaction((manager) => applyFlows(manager, files.map(draftOf)));
const commit = (flow: string, strategy?: Parameters<typeof commitFlow>[3]) =>
  fixture.dataSource.transaction((manager) => commitFlow(manager, flow, 'a message', strategy));
const uidsOf = async (flow: string) => {
  const { definition } = await loadFlowVersion(fixture.dataSource.manager, flow, 0);
  return Object.fromEntries(
    definition.blocks
      .flatMap((block) => [block, ...('items' in block ? block.items : [])])
      .map(({ id, uid }) => [id, uid]),
  );
};
const revision = async () => {
  const [row] = (await fixture.dataSource.query(
    "SELECT revision FROM reference_revisions WHERE name = 'flows'",
  )) as {
    revision: string;
  }[];
  return Number(row?.revision);
};
const card = { type: 'card' };

describe('applying flow files', () => {
  test('gives every block a uid that it keeps through edits and gets back after detours (F3)', async () => {
    const list = { type: 'checklist', items: { one: {}, two: {} } };
    await apply({ flow: 'uids', start: 'a', blocks: { a: card, list } });
    const first = await uidsOf('uids');
    expect(new Set(Object.values(first)).size).toBe(4);
    for (const uid of Object.values(first)) expect(uid).toMatch(/^[\w-]{20}$/);
    await apply({
      flow: 'uids',
      start: 'a',
      blocks: { a: { type: 'modal' }, list: { ...list, items: { two: {} } } },
    });
    const second = await uidsOf('uids');
    expect(second['a']).not.toBe(first['a']);
    expect(second).toMatchObject({ list: first['list'], two: first['two'] });
    await apply({ flow: 'uids', start: 'a', blocks: { a: card, list } });
    expect(await uidsOf('uids')).toEqual(first);
  });

  test('renames with `was`, keeping the uid, items too (F3)', async () => {
    await apply({
      flow: 'renames',
      start: 'old',
      blocks: { old: { type: 'checklist', items: { item: {} } } },
    });
    const before = await uidsOf('renames');
    await apply({
      flow: 'renames',
      start: 'new',
      blocks: { new: { was: 'old', type: 'checklist', items: { item: {} } } },
    });
    expect(await uidsOf('renames')).toEqual({ new: before['old'], item: before['item'] });
    await apply({
      flow: 'renames',
      start: 'old',
      blocks: { old: { type: 'checklist', items: { item: {} } } },
    });
    expect((await uidsOf('renames'))['old']).not.toBe(before['old']);
  });

  test('raises the edition only where something differs, and tells the services either way (S27)', async () => {
    const file = { flow: 'editions', start: 'e', blocks: { e: card } };
    const [applied] = await apply(file);
    expect(applied).toMatchObject({ changed: true });
    const seen = await revision();
    expect(await apply(file)).toMatchObject([{ changed: false }]);
    expect((await loadFlowVersion(fixture.dataSource.manager, 'editions', 0)).edition).toBe(1);
    await apply({ ...file, name: 'Named' });
    expect((await loadFlowVersion(fixture.dataSource.manager, 'editions', 0)).edition).toBe(2);
    expect(await revision()).toBeGreaterThan(seen);
  });

  test('stores nothing of any file when one of them fails (F4)', async () => {
    const work = fixture.dataSource.transaction(async (manager) => {
      await applyFlows(manager, [draftOf({ flow: 'half', start: 'h', blocks: { h: card } })]);
      throw new Error('the second file is bad');
    });
    await expect(work).rejects.toThrow('the second file');
    await expect(loadFlowVersion(fixture.dataSource.manager, 'half', 0)).rejects.toMatchObject({
      code: 'flow.unknown',
    });
  });

  test('in opposite orders at once neither waits for the other for ever', async () => {
    const files = ['x', 'y', 'z'].map((flow) => ({ flow, start: 'b', blocks: { b: card } }));
    const rounds = Array.from({ length: 10 }, (_, round) =>
      apply(...(round % 2 ? files : [...files].reverse())),
    );
    expect(await Promise.all(rounds)).toHaveLength(10);
  });
});

describe('committing', () => {
  test('numbers versions 1, 2, 3 without gaps, also when several commit at once (S26)', async () => {
    const file = (block: string) => ({ flow: 'numbers', start: block, blocks: { [block]: card } });
    await apply(file('one'));
    const attempts = await Promise.all(Array.from({ length: 5 }, () => commit('numbers')));
    expect(attempts.map(({ version }) => version)).toEqual([1, 1, 1, 1, 1]);
    expect(attempts.filter(({ committed }) => committed)).toHaveLength(1);
    await apply(file('two'));
    expect(await commit('numbers', 'restart-all')).toEqual({ version: 2, committed: true });
    expect(await loadFlowVersion(fixture.dataSource.manager, 'numbers', 2)).toMatchObject({
      migration: 'restart-all',
      message: 'a message',
    });
    expect(await loadLatestVersion(fixture.dataSource.manager, 'numbers')).toBe(2);
  });

  test('tells beforehand whether it would make a version, of version 0 and of a draft', async () => {
    const { manager } = fixture.dataSource;
    const file = (type: string) => ({ flow: 'foreseen', start: 'f', blocks: { f: { type } } });
    const wouldDraft = async (type: string) =>
      wouldCommit(manager, await assignDraftUids(manager, draftOf(file(type))));
    expect(await wouldDraft('card')).toBe(true);
    await apply(file('card'));
    expect(await wouldDraft('card')).toBe(true);
    await commit('foreseen');
    expect(await wouldDraft('card')).toBe(false);
    expect(await wouldDraft('modal')).toBe(true);
    await apply(file('modal'));
    expect(await wouldDraft('card')).toBe(false);
    expect(await wouldDraft('modal')).toBe(true);
  });

  test('refuses unknown and archived flows; applying brings one back with its versions (B12)', async () => {
    await expect(commit('nowhere')).rejects.toMatchObject({ code: 'flow.unknown' });
    await apply({ flow: 'back', start: 'k', blocks: { k: card } });
    await commit('back');
    const uids = await uidsOf('back');
    await archiveFlow(fixture.dataSource, 'back', { by: 'test' });
    await expect(commit('back')).rejects.toMatchObject({
      code: 'flow.unknown',
      message: 'back is archived; applying its file brings it back',
    });
    const listed = async () =>
      (await listFlows(fixture.dataSource.manager)).find(({ flow }) => flow === 'back');
    expect(await listed()).toMatchObject({ flow: 'back', name: null, latest: 1, archived: true });
    await apply({ flow: 'back', start: 'k', blocks: { k: card } });
    expect(await listed()).toMatchObject({ latest: 1, archived: false });
    expect(await uidsOf('back')).toEqual(uids);
  });
});
