import { describe, expect, test } from '@jest/globals';
import { assignUids } from '../../flows/draft/assign-uids.js';
import { diffFlows } from '../diff/diff-flows.js';
import { formatFlowFile } from '../write/format-flow-file.js';
import { parseFlowFile } from './parse-flow-file.js';

const FILE = `flow: f
start: offer
blocks:
  offer:
    type: split
    by: group
    paths:
      short: {share: 45, to: tips}
      "10": {share: 0, to: [tips, finish]}
      none: {share: 10}
  tips:
    type: card
`;
const parse = (text: string) => parseFlowFile(text, { file: 'f' });
const offer = (rest: string) =>
  parse(`flow: f\nstart: a\nblocks: { a: { type: split, ${rest} } }\n`);
const define = (text: string, known: Parameters<typeof assignUids>[1] = []) => {
  let made = 0;
  return assignUids(parse(text).draft!, known, () => `u${++made}`);
};

test('a split is read and written, and makes it a flow of format 2 (K1, R17)', () => {
  const { definition } = define(FILE);
  expect(definition).toMatchObject({
    format: 2,
    blocks: [
      {
        type: 'split',
        by: 'group',
        ways: [
          { name: 'short', share: 45 },
          { name: '10', share: 0 },
          { name: 'none', share: 10 },
        ],
        paths: [
          { names: ['short'], to: 'tips' },
          { names: ['10'], to: 'tips' },
          { names: ['10'], to: 'finish' },
        ],
      },
      { type: 'card' },
    ],
  });
  expect(formatFlowFile(definition)).toBe(FILE);
});

test('a way that leads nowhere is hardly meant (K2)', () => {
  const warned = parse(FILE).problems.map(
    ({ code, line, severity }) => `${severity} ${line} ${code}`,
  );
  expect(warned).toContain('warning 10 split.dead-way');
});

test('changed shares, ways and subjects are listed one by one (K2)', () => {
  const before = define(FILE);
  const after = FILE.replace('group', 'user')
    .replace('share: 45', 'share: 20')
    .replace('none: {share: 10}', 'other: {share: 10}');
  const told = diffFlows(before.definition, define(after, before.created).definition);
  expect(told.map(({ place, text }) => `${place.join('/')}: ${text}`)).toEqual([
    'blocks/offer/by: the subject of split offer is "user", was "group"',
    'blocks/offer/paths/short/share: the share of path short of split offer is 20, was 45',
    'blocks/offer/paths/other/share: the share of path other of split offer is 10, was absent',
    'blocks/offer/paths/none: path none of split offer is removed',
    'blocks/offer/paths/other: path other of split offer is added and leads nowhere',
  ]);
});

describe('a split is refused', () => {
  const two = 'a: { share: 1, to: finish }, b: { share: 1, to: finish }';
  test.each([
    ['by: group', '3:11 split.too-few-ways'],
    ['paths: { x: { share: 1, to: finish } }', '3:29 split.too-few-ways'],
    ['paths: { x: { share: 0 }, y: { share: 0, to: finish } }', '3:29 split.without-share'],
    ['paths: { x: { share: 1.5, to: finish }, y: { share: 1 } }', '3:50 split.bad-share'],
    ['paths: { x: { share: 1001, to: finish }, y: { share: 1 } }', '3:50 split.bad-share'],
    ['paths: { x: { share: -1, to: finish }, y: { share: 1 } }', '3:50 split.bad-share'],
    ['paths: { x: { share: .nan, to: finish }, y: { share: 1 } }', '3:50 split.bad-share'],
    ['paths: { x: { share: "1", to: finish }, y: { share: 1 } }', '3:50 split.bad-share'],
    ['paths: { x: { share: 1, to: nope }, y: { share: 1 } }', '3:57 path.unknown-target'],
    ['paths: { x: { share: 1, to: [finish, nope] }, y: { share: 1 } }', '3:66 path.unknown-target'],
    ['paths: { x: { to: finish }, y: { share: 1 } }', '3:38 key.missing'],
    ['paths: { x: finish, y: { share: 1 } }', '3:41 value.not-map'],
    ['paths: { "x,y": { share: 1 }, y: { share: 1 } }', '3:38 path.bad-name'],
    [`by: account, paths: { ${two} }`, '3:33 split.unknown-by'],
    [`paths: { ${two} }, next: finish`, '3:98 key.unknown'],
    ['paths: { x: { share: 1, to: a }, y: { share: 1 } }', '3:11 path.automatic-cycle'],
  ])('with %s: %s (K2, S4)', (rest, problem) => {
    const found = offer(rest).problems.filter(({ severity }) => severity === 'error');
    expect(found.map(({ line, column, code }) => `${line}:${column} ${code}`)).toContain(problem);
    expect(found).toHaveLength(1);
  });
});
