import { describe, expect, test } from '@jest/globals';
import { parseFlowFile } from '@waymark/domain/flow-files';
import { parse } from 'yaml';
import { FlowText } from '../text/flow-text.js';
import { BLOCK_TYPES, type BlockTypeName, insertBetween } from './blocks.js';

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
const insert = (from: string, to: string, type: BlockTypeName = 'card') => insertBetween(FlowText.of(TEXT), from, to, type);

describe('a block that is put on a path (T9)', () => {
  test('stands on every path from the one to the other, leads on, and no other line changes', () => {
    const { text, id } = insert('ask', 'list');
    const { blocks, start } = parse(text) as { start: unknown; blocks: Record<string, { paths: unknown }> };
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
      const { draft, problems } = parseFlowFile(insert('ask', 'list', type).text, { file: 'f.yaml', known });
      expect([type, draft?.blocks.map((block) => block.id), problems.filter((one) => one.severity === 'error')]).toEqual([
        type,
        ['ask', 'list', type],
        [],
      ]);
    }
  });
});
