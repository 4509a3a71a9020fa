import { describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { assignUids, type KnownUid } from '../flows/draft/assign-uids.js';
import { ITEM_TYPES } from '../engine/index.js';
import { diffFlows } from './diff/diff-flows.js';
import { BLOCK_KEYS, ITEM_KEYS } from './keys/block-keys.js';
import { parseFlowFile } from './read/parse-flow-file.js';
import { FLOW_KEYS } from './read/read-flow.js';
import { flowFileSchema } from './schema/flow-file-schema.js';
import { formatFlowFile } from './write/format-flow-file.js';

const ways = 'paths: { complete: [finish, own] }';
const fields = 'fields: { title: ONE }';
const done = 'done: user.identifier == "ONE"';
/** A file with every key, but for those that say nothing of the flow itself. */
const FILE = `
flow: f
name: ONE
language: en
target: { users: matching, when: user.identifier == "ONE", from: 2026-12-01, until: 2026-12-24 }
attention: { group: ONE, priority: 1 }
end: 2027-01-01
goal: user.identifier == "ONE"
start: [hello, beside, list, walk, tips, fork, offer, wait, later, told, other]
blocks:
  hello: { type: modal, ${fields}, ${done}, ${ways} }
  beside: { type: card, ${fields}, ${done}, ${ways} }
  list: { type: checklist, ${fields}, items: { a: { ${fields}, ${done} } }, ${ways} }
  walk: { type: tour, fields: { x: ONE }, items: { b: { ${fields} } }, ${ways} }
  tips: { type: hints, fields: { x: ONE }, items: { c: { ${fields}, ${done} } }, ${ways} }
  fork: { type: branch, when: user.identifier == "ONE", paths: { "true": [finish, own], "false": finish } }
  offer: { type: split, by: group, paths: { a: { share: 1, to: [finish, own] }, b: { share: 1, to: own } } }
  wait: { type: gate, next: [finish, own] }
  later: { type: delay, for: 1 day, next: [finish, own] }
  told: { type: webhook, url: https://a.test/ONE, headers: { x: ONE }, body: [ONE], next: [finish, own] }
  other: { type: flow-trigger, flow: ONE, intent: start, version: 1, next: [finish, own] }
  own: { type: custom, ${fields}, done: { when: user.identifier == "ONE", take: away }, paths: { ok: [finish, last], away: finish } }
  last: { type: modal, ${fields}, ${done}, ${ways} }
languages: { de: { hello: { title: ONE } } }
`;
/** The same with another value of every key. */
const CHANGED = FILE.replaceAll('ONE', 'TWO')
  .replaceAll(/\[finish, \w+\]/g, 'finish')
  .replace('[hello, beside,', '[beside, hello,')
  .replace('by: group', 'by: user')
  .replace('2026-12-01', '2026-12-02')
  .replace('2026-12-24', '2026-12-25')
  .replace('2027', '2028')
  .replace('1 day', '36 hours')
  .replace('language: en', 'language: fr')
  .replace('intent: start, version: 1', 'intent: stop, version: 2');

type Keys = Record<string, object>;
interface Written extends Keys {
  blocks: Record<string, { type: keyof typeof BLOCK_KEYS; items?: Record<string, object> }>;
}

function define(text: string, known: readonly KnownUid[] = []) {
  const { draft, problems } = parseFlowFile(text, { file: 'f' });
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  let made = 0;
  return assignUids(draft!, known, () => `u${made++}`);
}

const first = define(FILE);
const formatted = parse(formatFlowFile(first.definition)) as Written;
const places = diffFlows(first.definition, define(CHANGED, first.created).definition).map(
  ({ place }) => place.join('/'),
);
const differsAt = (place: string) => places.some((one) => `${one}/`.startsWith(`${place}/`));
/** Keys that say how a flow is kept rather than what it is, or follow from others. */
const without = (keys: readonly string[], ...others: string[]) =>
  keys.filter((key) => !['was', 'type', ...others].includes(key));

describe('every key of flow files', () => {
  const flowKeys = without(FLOW_KEYS, '$schema', 'flow');

  test('of a flow is written, and compared (F1)', () => {
    expect(flowKeys.filter((key) => !(key in formatted))).toEqual([]);
    expect(flowKeys.filter((key) => !differsAt(key))).toEqual([]);
  });

  test.each(Object.entries(formatted.blocks))(
    'of the block %s is written, and compared (F1)',
    (id, block) => {
      const isShort = 'next' in block;
      const keys = without(BLOCK_KEYS[block.type], isShort ? 'paths' : 'next');
      expect(keys.filter((key) => !(key in block))).toEqual([]);
      expect(
        keys.filter((key) => !differsAt(`blocks/${id}/${key === 'next' ? 'paths' : key}`)),
      ).toEqual([]);
      for (const [item, written] of Object.entries(block.items ?? {})) {
        const itemKeys = without(ITEM_KEYS[ITEM_TYPES[block.type as keyof typeof ITEM_TYPES]]);
        expect(itemKeys.filter((key) => !(key in written))).toEqual([]);
        expect(itemKeys.filter((key) => !differsAt(`blocks/${id}/items/${item}/${key}`))).toEqual(
          [],
        );
      }
    },
  );

  test('is known to the schema that editors check with (F1)', () => {
    const matches = new Ajv({ strict: false, allErrors: true }).compile(flowFileSchema() as object);
    matches(parse(FILE, { stringKeys: true }));
    expect(matches.errors ?? []).toEqual([]);
  });

  test('stands in a block of its type', () => {
    const types = Object.values(formatted.blocks).map(({ type }) => type);
    expect([...new Set(types)].sort()).toEqual(Object.keys(BLOCK_KEYS).sort());
  });
});
