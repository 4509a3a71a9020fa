import { describe, expect, test } from '@jest/globals';
import { parseFlowFile } from '@waymark/domain/flow-files';
import { parse } from 'yaml';
import { FlowText } from '@waymark/domain/flow-files/text';
import {
  BLOCK_TYPES,
  type BlockTypeName,
  insertBetween,
  removeBlock,
  removeTexts,
  renameKept,
} from './blocks.js';

const TEXT = `flow: f
start: [ask,   list] # both
blocks:
  ask:
    type: modal
    paths:
      complete: list # kept
      dismiss: [list, finish]
  list:
    type: checklist
    items: { one: { fields: { title: One } } }
    paths: { complete: finish }
`;
const insert = (from: string, to: string, type: BlockTypeName = 'card') =>
  insertBetween(FlowText.of(TEXT), from, to, type);

describe('a block that is put on a path (T9)', () => {
  test('stands on every path from the one to the other, leads on, and no other line changes', () => {
    const { text, id } = insert('ask', 'list');
    const { blocks, start } = parse(text) as {
      start: unknown;
      blocks: Record<string, { paths: unknown }>;
    };
    expect([id, start, blocks['ask']!.paths]).toEqual([
      'card',
      ['ask', 'list'],
      { complete: 'card', dismiss: ['card', 'finish'] },
    ]);
    expect(blocks['card']!.paths).toEqual({ complete: 'list', dismiss: 'list' });
    const lost = TEXT.split('\n').filter((line) => !text.split('\n').includes(line));
    expect(lost).toEqual(['      complete: list # kept', '      dismiss: [list, finish]']);
    expect(text).toContain('      complete: card # kept\n');
  });

  test('may stand behind the start and before the finish', () => {
    expect(insert('start', 'list').text).toContain('start: [ask,   card] # both\n');
    expect(insert('list', 'finish').text).toContain('paths: { complete: card }\n');
  });

  test('makes a flow without errors, whatever its type', () => {
    const known = { flows: new Set(['another-flow']) };
    for (const type of Object.keys(BLOCK_TYPES) as BlockTypeName[]) {
      const { draft, problems } = parseFlowFile(insert('ask', 'list', type).text, {
        file: 'f.yaml',
        known,
      });
      expect([
        type,
        draft?.blocks.map((block) => block.id),
        problems.filter((one) => one.severity === 'error'),
      ]).toEqual([type, ['ask', 'list', type], []]);
    }
  });
});

describe('translations follow their blocks and items (X1, X5)', () => {
  const SPOKEN = `${TEXT}language: en
languages:
  de:
    ask: { title: Frage } # checked
    one: { title: Eins }
  pt-BR: { one: { title: Um } }
`;
  const errorsOf = (text: string) =>
    parseFlowFile(text, { file: 'f.yaml' }).problems.filter((one) => one.severity === 'error');

  test('to another identifier in every language, and no other line changes', () => {
    const source = FlowText.of(SPOKEN);
    const text = renameKept(source, ['blocks', 'list', 'items', 'one'], 'first', source);
    expect(text).toContain('    first: { title: Eins }\n  pt-BR: { first: { title: Um } }\n');
    expect(errorsOf(text)).toEqual([]);
    const asked = renameKept(FlowText.of(text), ['blocks', 'ask'], 'question', source);
    expect(asked).toContain('    question: { title: Frage } # checked\n');
    expect(errorsOf(asked)).toEqual([]);
  });

  test('and go with them', () => {
    const without = removeBlock(FlowText.of(SPOKEN), 'list');
    expect(without).toContain('languages:\n  de:\n    ask: { title: Frage } # checked\n');
    expect(without).not.toContain('Um');
    expect(errorsOf(without)).toEqual([]);
    expect(removeTexts(SPOKEN, 'one', 'title')).not.toMatch(/Eins|Um/);
  });
});
