import { describe, expect, test } from '@jest/globals';
import {
  branch,
  card,
  checklist,
  compileFlow,
  custom,
  defineFlow,
  gate,
  uidOf,
} from '@waymark/testing/builders';
import { compile } from './compile.js';
import { exposedBlocks } from './compiled-flow.js';

describe('a compiled flow', () => {
  const definition = defineFlow({
    start: ['ask', 'both'],
    blocks: {
      ask: custom({ go: 'list' }, [{ sid: 'title', type: 'string', value: 'Hello' }]),
      admin: branch('user.properties.admin', { true: 'list', false: 'finish' }),
      list: checklist(['one', 'two'], { complete: 'both' }),
      both: gate('bye'),
      bye: card(),
    },
  });
  const flow = compile(definition);

  test('keeps the definition it was made from (S1)', () => {
    expect(flow.definition).toBe(definition);
  });

  test('lists what clients see in the order of the definition, a container before its items (S2, B8)', () => {
    expect(exposedBlocks(flow).map(({ id, type }) => `${id} ${type}`)).toEqual([
      'ask custom',
      'list checklist',
      'one checklistItem',
      'two checklistItem',
      'bye card',
    ]);
  });

  test('gives what is shown of a block, and of an item its container (B6)', () => {
    expect(flow.byIdentifier.get('ask')).toMatchObject({
      uid: 'u-ask',
      names: ['go'],
      fields: [{ sid: 'title', type: 'string', value: 'Hello' }],
    });
    expect(flow.byIdentifier.get('two')).toMatchObject({
      names: ['complete', 'skip'],
      containerUid: 'u-list',
      position: 1,
    });
    expect(flow.byIdentifier.get('list')).not.toHaveProperty('containerUid');
  });

  test('finds blocks and items by uid and by identifier (B2)', () => {
    for (const id of ['ask', 'admin', 'list', 'one', 'both']) {
      expect(flow.byUid.get(uidOf(id))).toBe(flow.byIdentifier.get(id));
      expect(flow.byUid.get(uidOf(id))?.id).toBe(id);
    }
    expect(flow.byUid.get('constructor')).toBeUndefined();
  });

  test('knows what a gate waits for (S16)', () => {
    expect(flow.byIdentifier.get('both')).toMatchObject({ inputs: new Set(['start', 'u-list']) });
  });

  test('refuses what a newer release made: a format, a type of block, a type of item (R17)', () => {
    const [block] = definition.blocks;
    const list = definition.blocks.find((one) => 'items' in one)!;
    const newer = [
      { ...definition, format: 3 },
      { ...definition, blocks: [{ ...block, type: 'dream' }, ...definition.blocks.slice(1)] },
      {
        ...definition,
        blocks: definition.blocks.map((one) =>
          one === list ? { ...list, items: [{ ...list.items[0], type: 'listItem' }] } : one,
        ),
      },
    ] as unknown as (typeof definition)[];
    for (const one of newer)
      expect(() => compile(one)).toThrow(
        expect.objectContaining({ code: 'engine.unknown-format' }),
      );
  });

  test('refuses a path to nowhere, which a checked definition never has (S4)', () => {
    const broken = () => compileFlow({ blocks: { a: card({ complete: 'nowhere' }) } });
    expect(broken).toThrow(
      expect.objectContaining({
        code: 'engine.invalid-definition',
        message: expect.stringContaining('nowhere'),
      }),
    );
  });
});
