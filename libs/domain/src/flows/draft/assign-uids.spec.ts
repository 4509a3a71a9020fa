import { expect, test } from '@jest/globals';
import type { FlowDraft } from '../../engine/index.js';
import { parseFlowFile } from '../../flow-files/index.js';
import { assignUids, type Identified, type KnownUid } from './assign-uids.js';

function draftOf(blocks: string): FlowDraft {
  const { draft, problems } = parseFlowFile(`flow: f\nstart: finish\nblocks: ${blocks}`, {
    file: 'f',
  });
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  return draft!;
}

/** A database of uids: what applying files one after the other leaves in it. */
class Flow {
  private known: KnownUid[] = [];
  private made = 0;

  apply(blocks: string): Identified & { uids: Record<string, string> } {
    const result = assignUids(draftOf(blocks), this.known, () => `u${this.made++}`);
    const moved = new Set(result.renamed.map(({ uid }) => uid));
    this.known = [
      ...this.known.filter(({ uid }) => !moved.has(uid)),
      ...result.renamed,
      ...result.created,
    ];
    const all = result.definition.blocks.flatMap((block) => [
      block,
      ...('items' in block ? block.items : []),
    ]);
    return { ...result, uids: Object.fromEntries(all.map(({ id, uid }) => [id, uid])) };
  }
}

const CHECKLIST = '{ a: { type: checklist, items: { x: , y: } }';

test('the first apply makes every uid, blocks and items in the order of the file (F3)', () => {
  const { uids, created, renamed, definition } = new Flow().apply(
    `${CHECKLIST}, b: { type: card } }`,
  );
  expect(uids).toEqual({ a: 'u0', x: 'u1', y: 'u2', b: 'u3' });
  expect(created[1]).toEqual({
    uid: 'u1',
    identifier: 'x',
    type: 'checklistItem',
    containerUid: 'u0',
  });
  expect(created[3]).toEqual({ uid: 'u3', identifier: 'b', type: 'card', containerUid: '' });
  expect(renamed).toEqual([]);
  expect(definition.blocks[0]).not.toHaveProperty('was');
});

test('applying the same file again makes nothing (F3)', () => {
  const flow = new Flow();
  const first = flow.apply(`${CHECKLIST} }`);
  expect(flow.apply(`${CHECKLIST} }`)).toEqual({ ...first, created: [] });
});

test('another type is a new uid, and the former type brings the old one back (F3)', () => {
  const flow = new Flow();
  expect(flow.apply('{ a: { type: card } }').uids).toEqual({ a: 'u0' });
  expect(flow.apply('{ a: { type: modal } }').uids).toEqual({ a: 'u1' });
  expect(flow.apply('{}').uids).toEqual({});
  expect(flow.apply('{ a: { type: card } }')).toMatchObject({ uids: { a: 'u0' }, created: [] });
});

test('an item in another container is a new one, back in its own it is itself again (F3)', () => {
  const flow = new Flow();
  const two = (first: string, second: string) =>
    `{ a: { type: tour, items: { ${first} } }, b: { type: tour, items: { ${second} } } }`;
  const before = flow.apply(two('x: , y: ', 'z: '));
  const moved = flow.apply(two('y: ', 'z: , x: '));
  expect(moved.uids['x']).not.toBe(before.uids['x']);
  expect(moved.created).toHaveLength(1);
  expect(flow.apply(two('x: , y: ', 'z: ')).uids).toEqual(before.uids);
});

test('was renames a block without losing its uid, and a renamed container is the same one for its items (F3)', () => {
  const flow = new Flow();
  const before = flow.apply(`${CHECKLIST} }`);
  const after = flow.apply('{ b: { type: checklist, was: a, items: { x: , z: { was: y } } } }');
  expect(after.uids).toEqual({ b: before.uids['a'], x: before.uids['x'], z: before.uids['y'] });
  expect(after.created).toEqual([]);
  expect(after.renamed.map(({ uid, identifier }) => [uid, identifier])).toEqual([
    ['u0', 'b'],
    ['u2', 'z'],
  ]);
});

test('was is ignored once the new identifier has a uid, so that it may stay in the file (F3)', () => {
  const flow = new Flow();
  flow.apply('{ a: { type: card } }');
  flow.apply('{ b: { type: card, was: a } }');
  expect(flow.apply('{ b: { type: card, was: a } }')).toMatchObject({
    uids: { b: 'u0' },
    renamed: [],
  });
  expect(flow.apply('{ a: { type: card } }').uids).toEqual({ a: 'u1' });
  expect(flow.apply('{ b: { type: card, was: a } }')).toMatchObject({
    uids: { b: 'u0' },
    renamed: [],
  });
});

test('a rename moves the uid of the present type only (F3)', () => {
  const flow = new Flow();
  flow.apply('{ a: { type: card } }');
  flow.apply('{ a: { type: modal } }');
  expect(flow.apply('{ b: { type: modal, was: a } }').uids).toEqual({ b: 'u1' });
  expect(flow.apply('{ a: { type: card } }').uids).toEqual({ a: 'u0' });
  expect(flow.apply('{ c: { type: hints, was: b, items: { x: } } }').created).toHaveLength(2);
});

test('was that names nothing known is no error: the file may be new to this database (F3)', () => {
  expect(new Flow().apply('{ b: { type: card, was: a } }').uids).toEqual({ b: 'u0' });
});

test.each([
  [
    'a block still in the file',
    '{ a: { type: card, was: b }, b: { type: card } }',
    '3:33 "b" is still a block of this flow',
  ],
  [
    'an item still in the file',
    '{ a: { type: card, was: x }, b: { type: tour, items: { x: } } }',
    '3:33 "x" is still a block of this flow',
  ],
  [
    'the same one twice',
    '{ a: { type: card, was: c }, b: { type: card, was: c } }',
    '3:60 two blocks cannot both have been "c"',
  ],
])('was that names %s is an error with its place (F3)', (_, blocks, expected) => {
  const { draft, problems } = parseFlowFile(`flow: f\nstart: [a, b]\nblocks: ${blocks}`, {
    file: 'f',
  });
  expect(draft).toBeNull();
  expect(
    problems.map(({ line, column, message }) => `${line}:${column} ${message}`).join(),
  ).toContain(expected);
});
