import { describe, expect, test } from '@jest/globals';
import { custom, defineFlow } from '@waymark/testing/builders';
import { planned, plays } from '@waymark/testing/generators';
import { fc } from '@waymark/testing/properties';
import {
  compile,
  EMPTY_STATE,
  exposedBlocks,
  type Field,
  type FlowState,
  insertedValues,
  step,
  type TextPart,
} from '../../engine/index.js';
import type { Json } from '../../targeting/index.js';
import { insertionRoom } from './personal-json.js';
import { flowJson, flowView } from './flow-json.js';

test('what is written is what the rules say of every block, whatever the flow and the state (B5, B6, B7, B8, B14)', () => {
  fc.assert(
    fc.property(plays(), ({ definition, turns }) => {
      const flow = {
        flow: definition.flow,
        version: 3,
        edition: 1,
        strategy: 'carry-over',
        compiled: compile(definition),
      } as const;
      const state = turns.reduce<FlowState>(
        (before, { plan, context }) =>
          step(flow.compiled, before, planned(definition, before, plan), context).state,
        EMPTY_STATE,
      );
      const { started, stopped, finished } = state;
      const sid = definition.flow;
      const blocks = exposedBlocks(flow.compiled).map((block) => {
        const {
          active = false,
          entered = false,
          exited = false,
          transitioned = [],
        } = state.blocks[block.uid] ?? {};
        return {
          kind: 'block',
          type: block.type,
          uid: block.uid,
          sid: `${sid}.${block.id}`,
          version: 3,
          state: { active, entered, exited },
          transitioned: Object.fromEntries(
            block.names.map((name) => [name, transitioned.includes(name)]),
          ),
          fields: block.fields,
          ...(block.kind === 'item' && { containerUid: block.container.uid }),
        };
      });
      const view = {
        kind: 'flow',
        type: 'flow',
        uid: sid,
        sid,
        version: 3,
        state: { started, stopped, finished },
        revision: 7,
      };
      const numbered = { state, revision: 7 };
      expect(flowView(flow, numbered)).toEqual(view);
      expect(flowView(flow, numbered, true)).toEqual({ ...view, blocks });
      const byUid = Object.fromEntries(blocks.map((block) => [block.uid, block]));
      expect(JSON.parse(flowJson(flow).blocksByUid(numbered, () => true))).toEqual(byUid);
      for (const block of blocks)
        expect(JSON.parse(flowJson(flow).block(numbered, block.uid))).toEqual(block);
    }),
  );
});

describe('texts that show something of their user (Z5)', () => {
  const personal = (...parts: TextPart[]) => {
    const title: Field = { sid: 'title', type: 'string', value: 'as written', parts };
    const node = { text: 'as written', bold: true, parts };
    const body = {
      sid: 'body',
      type: 'richText',
      value: [{ type: 'paragraph', children: [node] }],
    };
    const blocks = { hello: custom({}, [title, body as unknown as Field]) };
    const definition = { ...defineFlow({ blocks }), format: 2 as const };
    return { flow: 'f', version: 1, compiled: compile(definition) };
  };
  const fill = (version: ReturnType<typeof personal>, properties: Record<string, Json>) => {
    const inserted = insertedValues(version.compiled.inserted, properties);
    const { blocks } = flowView(version, { state: EMPTY_STATE, revision: 1, inserted }, true);
    const [title, body] = blocks![0]!.fields;
    expect(body!.value).toEqual([
      { type: 'paragraph', children: [{ text: title!.value, bold: true }] },
    ]);
    expect(title).toEqual({ sid: 'title', type: 'string', value: title!.value });
    return title!.value;
  };

  test('are the text with what the user has, whatever characters that is of', () => {
    const text = fc.string({ unit: 'binary', maxLength: 100 });
    fc.assert(
      fc.property(text, text, text, fc.boolean(), (before, value, or, has) => {
        const shown = fill(personal(before, { path: ['a'], or }, '!'), has ? { a: value } : {});
        expect(shown).toBe(`${before}${has ? value : or}!`);
      }),
    );
  });

  test.each<[Json, string]>([
    [12.5, '12.5'],
    [false, 'false'],
    ['', ''],
    [null, 'nobody'],
    [['x'], 'nobody'],
    [{ b: 'x' }, 'nobody'],
    ['👋'.repeat(201), '👋'.repeat(200)],
    ['<b>"\\\u2028${user.properties.a}', '<b>"\\\u2028${user.properties.a}'],
  ])('%j is shown as it is text, or missing', (value, shown) => {
    expect(fill(personal({ path: ['a'], or: 'nobody' }), { a: value })).toBe(shown);
  });

  test('step into own keys and lists only, and show nothing without a word', () => {
    expect(fill(personal({ path: ['a', 0, 'b'] }), { a: [{ b: 'deep' }] })).toBe('deep');
    expect(fill(personal({ path: ['constructor', 'name'] }), {})).toBe('');
    expect(fill(personal({ path: ['a', 'length'] }), { a: 'text' })).toBe('');
  });

  test('of one answer insert 64 KiB at most, the flows of a list together', () => {
    const version = personal(...Array.from({ length: 400 }, () => ({ path: ['a'] })));
    const inserted = insertedValues(version.compiled.inserted, { a: 'x'.repeat(300) });
    const room = insertionRoom();
    const numbered = { state: EMPTY_STATE, revision: 1, inserted };
    const text = flowJson(version).flow(numbered, true, room);
    expect(text.split('x').length - 1).toBeGreaterThan(65_530);
    expect(text.split('x').length - 1).toBeLessThan(65_540);
    expect(room.left).toBe(0);
    expect(flowJson(version).flow(numbered, true, room)).not.toContain('xx');
    expect(flowJson(version).flow(numbered, true)).toBe(text);
  });

  test('are for nobody in particular where nothing of the user is known', () => {
    const version = personal('Hi ', { path: ['a'], or: 'you' });
    const { blocks } = flowView(version, { state: EMPTY_STATE, revision: 0 }, true);
    expect(blocks![0]!.fields[0]!.value).toBe('Hi you');
  });
});

describe('texts of many languages', () => {
  const LANGUAGES = ['de', 'fr', 'es', 'it', 'nl', 'pt', 'ja', 'ko', 'zh', 'sv'];
  const multilingual = (characters: number) => {
    const title: Field = { sid: 'title', type: 'string', value: 'x'.repeat(characters) };
    const definition = {
      ...defineFlow({ blocks: { hello: custom({}, [title]) } }),
      language: 'en',
      languages: LANGUAGES.map((language) => ({ language, blocks: [] })),
    };
    return { flow: 'f', version: 1, compiled: compile(definition) };
  };

  test('are made once for each, whoever reads in turn (X6, P5)', () => {
    const flow = multilingual(10_000);
    const made = LANGUAGES.map((language) => flowJson(flow, language));
    expect(new Set(made).size).toBe(LANGUAGES.length);
    LANGUAGES.forEach((language, index) => expect(flowJson(flow, language)).toBe(made[index]));
  });

  test('cost bounded memory: of a large flow those used last are kept (X6)', () => {
    const flow = multilingual(500_000);
    const [german] = LANGUAGES.map((language) => flowJson(flow, language));
    const swedish = flowJson(flow, 'sv');
    expect(flowJson(flow, 'sv-SE')).toBe(swedish);
    expect(flowJson(flow, 'de')).not.toBe(german);
  });
});
