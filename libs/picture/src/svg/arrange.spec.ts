import { describe, expect, test } from '@jest/globals';
import { fc } from '@waymark/testing/properties';
import { largeFlow } from '@waymark/testing/sample-flows';
import type { FlowDefinition } from '@waymark/domain/engine';
import { graphOf } from '../graph/flow-graph.js';
import { arrange, type Unplaced } from './arrange.js';
import { measure, unplacedOf } from './layout.js';

const flow = largeFlow(40);

/** What is arranged of the flow, with other words for some of its own. */
function unplaced(words = '', others = ''): Unplaced {
  const definition = JSON.parse(JSON.stringify(flow).replaceAll(words, others)) as FlowDefinition;
  return unplacedOf(measure(graphOf(definition)));
}

type Edge = Unplaced['edges'][number];

/**
 * Boxes of any size with edges between them, there and back among them, with labels and without.
 */
function anyUnplaced(): fc.Arbitrary<Unplaced> {
  const width = fc.integer({ min: 3, max: 11 }).map((steps) => 24 * steps);
  const boxes = fc.array(fc.tuple(width, fc.integer({ min: 20, max: 120 })), {
    minLength: 2,
    maxLength: 25,
  });
  return boxes.chain((sizes) => {
    const box = fc.nat(sizes.length - 1);
    const label: fc.Arbitrary<readonly [number, number]> = fc.constantFrom(
      [0, 0],
      [40, 20],
      [130, 34],
    );
    const edge = fc.record({ from: box, to: box, label, back: fc.option(label) });
    return fc.array(edge, { maxLength: 3 * sizes.length, size: 'max' }).map((edges): Unplaced => {
      const both = edges.flatMap(({ from, to, label, back }): Edge[] => [
        [from, to, ...label],
        ...(back ? [[to, from, ...back] as const] : []),
      ]);
      const unlike = new Map(
        both.filter(([from, to]) => from !== to).map((each) => [`${each[0]} ${each[1]}`, each]),
      );
      return { boxes: sizes, edges: [...unlike.values()] };
    });
  });
}

interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** How far two of them are apart; below zero where one is upon the other. */
function distance(a: Rectangle, b: Rectangle): number {
  return Math.max(
    Math.abs(a.x - b.x) - (a.width + b.width) / 2,
    Math.abs(a.y - b.y) - (a.height + b.height) / 2,
  );
}

function placedBoxes(given: Unplaced): Rectangle[] {
  const { boxes } = arrange(given);
  return given.boxes.map(([width, height], number) => ({ ...boxes[number]!, width, height }));
}

describe('an arrangement', () => {
  test('leaves room for every box and label', () => {
    fc.assert(
      fc.property(anyUnplaced(), (given) => {
        const { edges } = arrange(given);
        const labels = given.edges.map(([, , width, height], number) => ({
          ...edges[number]!.label,
          width,
          height,
        }));
        const all = [...placedBoxes(given), ...labels.filter(({ width }) => width > 0)];
        const upon = all.filter((a, index) =>
          all.slice(index + 1).some((b) => distance(a, b) < -1e-6),
        );
        expect(upon).toEqual([]);
      }),
    );
  });

  test('leads every edge from its one box to the other', () => {
    fc.assert(
      fc.property(anyUnplaced(), (given) => {
        const boxes = placedBoxes(given);
        for (const [number, { points }] of arrange(given).edges.entries()) {
          const [from, to] = given.edges[number]!;
          const size = { width: 0, height: 0 };
          expect(distance({ ...points[0]!, ...size }, boxes[from]!)).toBeCloseTo(0);
          expect(distance({ ...points.at(-1)!, ...size }, boxes[to]!)).toBeCloseTo(0);
        }
      }),
    );
  });

  test('has every box below those that lead to it, where no path leads back', () => {
    fc.assert(
      fc.property(anyUnplaced(), (given) => {
        const onwards = { ...given, edges: given.edges.filter(([from, to]) => from < to) };
        const boxes = placedBoxes(onwards);
        for (const [from, to] of onwards.edges) {
          const gap = boxes[to]!.y - boxes[from]!.y;
          expect(gap).toBeGreaterThan((boxes[from]!.height + boxes[to]!.height) / 2);
        }
      }),
    );
  });
});

test('blocks that get another name as long as theirs, or texts that nobody sees in the picture, stay where they are (T9)', () => {
  const places = arrange(unplaced());
  expect(arrange(unplaced('survey-1', 'sorvey-1'))).toBe(places);
  expect(arrange(unplaced('It leads on.', 'It leads on and on.'))).toBe(places);
});

test('boxes of another size, and paths with another course, are arranged anew (T9)', () => {
  const wide = [30, 30, 30].map((width): [number, number] => [width, 10]);
  const narrow = [10, 10, 10].map((width): [number, number] => [width, 10]);
  const chain = [0, 1].map((from): [number, number, number, number] => [from, from + 1, 0, 0]);
  const fork = [1, 2].map((to): [number, number, number, number] => [0, to, 0, 0]);
  const all = [wide, narrow].flatMap((boxes) => [chain, fork].map((edges) => ({ boxes, edges })));
  const places = all.map(arrange);
  expect(all.map(arrange).every((again, index) => again === places[index])).toBe(true);
  expect(new Set(places.map((each) => JSON.stringify(each))).size).toBe(all.length);
});
