import { expect, test } from '@jest/globals';
import { card, defineFlow } from '@waymark/testing/builders';
import { planned, plays } from '@waymark/testing/generators';
import { fc } from '@waymark/testing/properties';
import { compile, EMPTY_STATE, exposedBlocks, type FlowState, step } from '../../engine/index.js';
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
      expect(JSON.parse(flowJson(flow).blocksByUid(state, () => true))).toEqual(byUid);
      for (const block of blocks)
        expect(JSON.parse(flowJson(flow).block(state, block.uid))).toEqual(block);
    }),
  );
});

test('texts of many languages cost bounded memory: those used last are kept (X6)', () => {
  const languages = ['de', 'fr', 'es', 'it', 'nl', 'pt', 'ja', 'ko', 'zh', 'sv'];
  const definition = {
    ...defineFlow({ blocks: { hello: card() } }),
    language: 'en',
    languages: languages.map((language) => ({ language, blocks: [] })),
  };
  const flow = {
    flow: 'f',
    version: 1,
    edition: 1,
    strategy: 'carry-over',
    compiled: compile(definition),
  } as const;
  const [german] = languages.map((language) => flowJson(flow, language));
  const swedish = flowJson(flow, 'sv');
  expect(flowJson(flow, 'sv-SE')).toBe(swedish);
  expect(flowJson(flow, 'de')).not.toBe(german);
});
