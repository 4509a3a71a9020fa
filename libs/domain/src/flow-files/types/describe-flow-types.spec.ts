import { expect, test } from '@jest/globals';
import { branch, card, checklist, custom, defineFlow, webhook } from '@waymark/testing/builders';
import { describeFlowTypes } from './describe-flow-types.js';

const flow = defineFlow({
  flow: 'first-steps',
  blocks: {
    hello: card({ complete: 'fork' }),
    fork: branch('user.properties.admin', { true: 'told', false: 'list' }),
    told: webhook('list'),
    list: checklist(['one', 'two-a'], { complete: 'ask' }),
    ask: custom({ 'answered,no way': 'finish', back: 'hello' }, [
      { sid: 'question', type: 'string', value: "How's it?" },
      { sid: 'most-stars', type: 'number', value: 5 },
      { sid: 'must', type: 'boolean', value: true },
      { sid: 'thanks', type: 'richText', value: null },
    ]),
    end: custom({}),
  },
});

test('declares blocks and items in order, without logic, with transitions and fields (C6)', () => {
  expect(describeFlowTypes([flow]))
    .toBe(`// Made by \`waymark types\` from the flows: run it again when they change.
import type { RichText } from '@waymark/client';

declare module '@waymark/client' {
  interface Flows {
    'first-steps': {
      hello: {
        type: 'card';
        transitions: 'complete' | 'dismiss';
        fields: {};
      };
      list: {
        type: 'checklist';
        transitions: 'complete' | 'dismiss';
        fields: {};
        items: 'one' | 'two-a';
      };
      one: {
        type: 'checklistItem';
        transitions: 'complete' | 'skip';
        fields: {};
      };
      'two-a': {
        type: 'checklistItem';
        transitions: 'complete' | 'skip';
        fields: {};
      };
      ask: {
        type: 'custom';
        transitions: 'answered' | 'no way' | 'back';
        fields: {
          question: string;
          'most-stars': number;
          must: boolean;
          thanks: RichText | null;
        };
      };
      end: {
        type: 'custom';
        transitions: never;
        fields: {};
      };
    };
  }
}
`);
});

test('is the same for the same flows, in the order given (C6)', () => {
  const other = { ...flow, flow: 'another' };
  expect(describeFlowTypes([other, flow])).toBe(describeFlowTypes([other, structuredClone(flow)]));
  expect(describeFlowTypes([other, flow]).indexOf('another')).toBeLessThan(
    describeFlowTypes([other, flow]).indexOf('first-steps'),
  );
});
