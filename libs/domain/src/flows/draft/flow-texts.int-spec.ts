import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Fixture } from '@waymark/testing/fixture';
import { parseFlowFile } from '../../flow-files/index.js';
import { textHash } from '../versions/text-hash.js';
import { flowText } from './flow-text.js';
import { loadFlowVersion } from '../versions/load-version.js';
import { commitVersion, publishFlows } from '../publish/publish-flows.js';
import { revertFlow } from '../publish/revert-flow.js';

const AUTHOR = { by: 'ann' };
const WORDS = { message: 'next', migration: 'carry-over' } as const;

let fixture: Fixture;
beforeAll(async () => {
  fixture = await Fixture.open();
});
afterAll(() => fixture.close());

const apply = (text: string, ifMatch?: string) => {
  const { draft } = parseFlowFile(text, { file: 'f' });
  const texts = new Map([[draft!.flow, { text, ...(ifMatch !== undefined && { ifMatch }) }]]);
  return publishFlows(fixture.dataSource, [draft!], AUTHOR, undefined, texts);
};
const commit = (flow: string) => commitVersion(fixture.dataSource, flow, WORDS, AUTHOR);
const load = (flow: string, version = 0) =>
  loadFlowVersion(fixture.dataSource.manager, flow, version);
const textOf = async (flow: string, version = 0) => flowText(await load(flow, version));
const fileOf = (flow: string, blocks: string) =>
  `# ours\nflow: ${flow}\nstart: a   # here\nblocks:\n${blocks}\n`;

describe('the text of a file', () => {
  test('is kept as it was applied, comments and all, and copied by a commit (T6)', async () => {
    const text = fileOf('kept', '  a: { type: card }');
    await apply(text);
    await commit('kept');
    expect([await textOf('kept'), await textOf('kept', 1)]).toEqual([text, text]);
    const edition = (await load('kept')).edition;
    const remarked = text.replace('ours', 'mine');
    await apply(remarked);
    expect([await textOf('kept'), await textOf('kept', 1), (await load('kept')).edition]).toEqual([
      remarked,
      text,
      edition,
    ]);
  });

  test('is given up for the short form where it no longer says what is stored (T6)', async () => {
    await apply(fileOf('other', '  a: { type: card }'));
    await fixture.dataSource.query(
      `UPDATE flow_versions SET source = 'flow: [' WHERE flow = 'other'`,
    );
    expect(await textOf('other')).toBe('flow: other\nstart: a\nblocks:\n  a:\n    type: card\n');
  });

  test('names whoever committed it', async () => {
    expect(await load('kept', 1)).toMatchObject({ author: 'ann', message: 'next' });
  });
});

describe('an apply that names the text it was made from', () => {
  test('is refused with the difference where the draft is now another one, and nothing is overwritten (T6)', async () => {
    const first = fileOf('shared', '  a: { type: card }');
    await apply(first, 'none');
    const theirs = fileOf('shared', '  a: { type: card, fields: { title: Theirs } }');
    await apply(theirs, textHash(first));
    const mine = apply(
      fileOf('shared', '  a: { type: card, fields: { title: Mine } }'),
      textHash(first),
    );
    await expect(mine).rejects.toMatchObject({
      code: 'flow.changed',
      message: expect.stringContaining('field title of card a is "Theirs", was "Mine"'),
    });
    await expect(apply(theirs.replace('ours', 'mine'), textHash(first))).rejects.toThrow(
      'in comments or layout only',
    );
    await expect(apply(first, 'none')).rejects.toMatchObject({ code: 'flow.changed' });
    await expect(apply(fileOf('absent', '  a: { type: card }'), textHash(first))).rejects.toThrow(
      'there is no such flow',
    );
    expect(await textOf('shared')).toBe(theirs);
  });
});

describe('a revert', () => {
  test('makes a version the draft again, with its text and its uids, and commits nothing (F3, T6)', async () => {
    const first = fileOf(
      'back',
      '  a: { type: card, paths: { complete: b } }\n  b: { type: card }',
    );
    await apply(first);
    await commit('back');
    const { definition } = await load('back', 1);
    await apply(
      fileOf('back', '  a: { type: card, paths: { complete: c } }\n  c: { type: card, was: b }'),
    );
    await commit('back');
    expect(await revertFlow(fixture.dataSource, 'back', 1, AUTHOR)).toBe(true);
    expect((await load('back')).definition).toEqual(definition);
    expect(await textOf('back')).toBe(first);
    await expect(load('back', 3)).rejects.toMatchObject({ code: 'version.unknown' });
    expect(await revertFlow(fixture.dataSource, 'back', 1, AUTHOR)).toBe(false);
    await apply(first);
    expect((await load('back')).definition).toEqual(definition);
  });

  test('takes an identifier back from a block that has taken it over since (F3)', async () => {
    await apply(fileOf('moved', '  a: { type: card }\n  b: { type: card }'));
    await commit('moved');
    const { definition } = await load('moved', 1);
    await apply(fileOf('moved', '  a: { type: card }\n  c: { type: card, was: b }'));
    await apply(fileOf('moved', '  a: { type: card }\n  c: { type: card }\n  b: { type: card }'));
    await commit('moved');
    await revertFlow(fixture.dataSource, 'moved', 1, AUTHOR);
    await apply(fileOf('moved', '  a: { type: card }\n  b: { type: card }'));
    expect((await load('moved')).definition).toEqual(definition);
  });

  test.each([
    [0, 'request.invalid'],
    [9, 'version.unknown'],
  ])('to version %i is refused', async (version, code) => {
    await expect(revertFlow(fixture.dataSource, 'back', version, AUTHOR)).rejects.toMatchObject({
      code,
    });
  });
});
