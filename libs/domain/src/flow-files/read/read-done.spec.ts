import { describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { assignUids } from '../../flows/draft/assign-uids.js';
import { flowFileSchema } from '../schema/flow-file-schema.js';
import { formatFlowFile } from '../write/format-flow-file.js';
import { parseFlowFile } from './parse-flow-file.js';

const matches = new Ajv({ strict: false }).compile(flowFileSchema() as object);
const file = (block: string) => `flow: f\nstart: a\nblocks:\n  a: { ${block} }\n`;
const read = (block: string) => parseFlowFile(file(block), { file: 'f' });

describe('done', () => {
  test.each([
    ['type: card, done: user.properties.a', { when: 'user.properties.a', take: 'complete' }],
    ['type: modal, done: true', { when: 'true', take: 'complete' }],
    [
      'type: custom, done: { when: user.properties.a, take: "007" }, paths: { 007: [] }',
      { when: 'user.properties.a', take: '007' },
    ],
  ])('of a block is read, written and accepted by editors: %s (Z1, F1)', (block, done) => {
    const { draft, problems } = read(block);
    expect([problems, draft]).toMatchObject([[], { format: 2, blocks: [{ done }] }]);
    const written = formatFlowFile(assignUids(draft!, [], () => 'u').definition);
    expect(parseFlowFile(written, { file: 'f' }).draft).toEqual(draft);
    expect(matches(parse(file(block), { stringKeys: true }))).toBe(true);
  });

  test('of an item makes the flow one of format 2 (Z1, Z0)', () => {
    const { draft } = read('type: hints, items: { x: { done: true }, y: }');
    expect(draft).toMatchObject({
      format: 2,
      blocks: [{ items: [{ done: { when: 'true', take: 'complete' } }, { id: 'y' }] }],
    });
    expect(draft!.blocks[0]).not.toHaveProperty('items.1.done');
    expect(read('type: hints, items: { x: }').draft).toMatchObject({ format: 1 });
  });

  test.each([
    ['type: card, done: [ x ]', 'done, a condition is text'],
    ['type: card, done: { when: x, take: complete }', 'done, a condition is text'],
    ['type: custom, done: x, paths: { ok: [] }', 'is a map of when, a condition, and take'],
    ['type: custom, done: { when: "true" }, paths: { ok: [] }', 'needs take: <name>'],
    ['type: custom, done: { take: ok }, paths: { ok: [] }', 'needs when: <expression>'],
    ['type: tour, items: { x: { done: true } }', 'users walk through a tour by themselves'],
    ['type: gate, done: true', 'gate a has no key "done"'],
    ['type: checklist, done: true, items: { x: }', 'checklist a has no key "done"'],
  ])('is refused, by editors too, in %s (Z1, F4)', (block, message) => {
    const { draft, problems } = read(block);
    expect(draft).toBeNull();
    expect(problems.map((problem) => problem.message).join()).toContain(message);
    expect(matches(parse(file(block), { stringKeys: true }))).toBe(false);
  });
});
