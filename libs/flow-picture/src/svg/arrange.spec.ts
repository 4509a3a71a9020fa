import { expect, test } from '@jest/globals';
import { largeFlow } from '@waymark/testing/sample-flows';
import type { FlowDefinition } from '@waymark/domain/engine';
import { graphOf } from '../graph/flow-graph.js';
import type { Unplaced } from '../places/unplaced.js';
import { arrange } from './arrange.js';
import { measure, unplacedOf } from './layout.js';

const flow = largeFlow(40);

/** What is arranged of the flow, with other words for some of its own. */
function unplaced(words = '', others = ''): Unplaced {
  const definition = JSON.parse(JSON.stringify(flow).replaceAll(words, others)) as FlowDefinition;
  return unplacedOf(measure(graphOf(definition)));
}

test('blocks that get another name as long as theirs, or texts that nobody sees in the picture, stay where they are (T9)', () => {
  const places = arrange(unplaced());
  expect(arrange(unplaced('survey-1', 'sorvey-1'))).toBe(places);
  expect(arrange(unplaced('It leads on.', 'It leads on and on.'))).toBe(places);
});

test('boxes with another room, and paths with another course, are arranged anew (T9)', () => {
  const wide = [30, 30, 30].map((width): [number, number] => [width, 10]);
  const narrow = [10, 10, 10].map((width): [number, number] => [width, 10]);
  const chain = [0, 1].map((from): [number, number, number, number] => [from, from + 1, 0, 0]);
  const fork = [1, 2].map((to): [number, number, number, number] => [0, to, 0, 0]);
  const all = [wide, narrow].flatMap((boxes) => [chain, fork].map((edges) => ({ boxes, edges })));
  const places = all.map(arrange);
  expect(all.map(arrange).every((again, index) => again === places[index])).toBe(true);
  expect(new Set(places.map((each) => JSON.stringify(each))).size).toBe(all.length);
});
