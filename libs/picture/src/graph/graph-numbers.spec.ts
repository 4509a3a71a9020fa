import { expect, test } from '@jest/globals';
import { branch, card, checklist, defineFlow, modal } from '@waymark/testing/builders';
import { drawFlow } from '../index.js';
import { graphOf } from './flow-graph.js';
import { type GraphNumbers, withNumbers } from './graph-numbers.js';

const definition = defineFlow({
  blocks: {
    welcome: modal({ complete: 'is-admin', dismiss: 'finish' }),
    'is-admin': branch('user.properties.admin', { true: 'setup', false: 'bye' }),
    setup: checklist(['invite'], { complete: 'bye' }),
    bye: card(),
  },
});
const numbers: GraphNumbers = {
  started: 1_000,
  finished: 100,
  blocks: [
    { block: 'welcome', reached: 1_000, now: 150, paths: { 'is-admin': 600, finish: 250 } },
    { block: 'setup', reached: 200, now: 1_200, paths: { bye: 0 } },
    { block: 'invite', reached: 200, now: 20, paths: {} },
    { block: 'bye', reached: 0, now: 0, paths: {} },
  ],
  branches: [{ block: 'is-admin', outcomes: { true: 150, false: 450 } }],
};

test('every block has its users, every path that somebody chooses its share of those who reached it (E14)', () => {
  const { nodes, edges, summary } = withNumbers(graphOf(definition, { version: 3 }), numbers);
  expect(summary).toContain('1,000 users started');
  expect(
    nodes.map(({ id, detail, items }) => [id, detail, items.map(({ detail }) => detail)]),
  ).toEqual([
    ['start', '', []],
    ['welcome', '150 now', []],
    ['is-admin', 'admin is yes', []],
    ['setup', '1,200 now', ['20 now']],
    ['bye', '0 now', []],
    ['finish', '100 now', []],
  ]);
  expect(edges.map(({ from, to, share, names }) => [from, to, share, names])).toEqual([
    ['start', 'welcome', undefined, []],
    ['welcome', 'is-admin', 0.6, ['complete', '60 %']],
    ['welcome', 'finish', 0.25, ['dismiss', '25 %']],
    ['is-admin', 'setup', 0.25, ['true', '25 %']],
    ['is-admin', 'bye', 0.75, ['false', '75 %']],
    ['setup', 'bye', 0, ['complete', '0 %']],
  ]);
});

test('shares are drawn as width in every format (E14)', () => {
  expect(drawFlow(definition, 'svg', { numbers })).toMatch(/stroke-width="5.8"/);
  expect(drawFlow(definition, 'dot', { numbers })).toMatch(
    /"welcome" -> "is-admin" \[label="complete, 60 %", penwidth=5.8\];/,
  );
  expect(drawFlow(definition, 'mermaid', { numbers })).toMatch(/linkStyle 1 stroke-width:5.8px/);
  expect(drawFlow(definition, 'mermaid', {})).not.toContain('linkStyle');
});
