import dagre from '@dagrejs/dagre';
import { describe, expect, test } from '@jest/globals';
import { fc } from '@waymark/testing/properties';
import { findPlaces } from './find-places.js';
import type { Places, Point, Unplaced } from './unplaced.js';

/** The places that dagre finds, which does the same with other means, in ten times the time. */
function reference({ boxes, edges }: Unplaced): Places {
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({ rankdir: 'TB', nodesep: 40, edgesep: 24, ranksep: 56 });
  for (const [number, [width, height]] of boxes.entries()) graph.setNode(`n${number}`, { width, height });
  for (const [from, to, width, height] of edges) graph.setEdge(`n${from}`, `n${to}`, { width, height, labelpos: 'c' });
  dagre.layout(graph);
  const centre = (number: number): Point => {
    const { x, y } = graph.node(`n${number}`) as Point;
    return { x, y };
  };
  return {
    boxes: boxes.map((_, number) => centre(number)),
    edges: edges.map(([from, to]) => {
      const { points, x = 0, y = 0 } = graph.edge(`n${from}`, `n${to}`) as { points: Point[] } & Partial<Point>;
      return { points: [centre(from), ...points.slice(1, -1), centre(to)], label: { x, y } };
    }),
  };
}

type Edge = Unplaced['edges'][number];

/** Boxes of any size with edges between them, there and back among them, with labels and without. */
function anyUnplaced(): fc.Arbitrary<Unplaced> {
  const boxes = fc.array(fc.tuple(fc.integer({ min: 3, max: 11 }), fc.integer({ min: 20, max: 120 })), {
    minLength: 2,
    maxLength: 25,
  });
  return boxes.chain((sizes) => {
    const box = fc.nat(sizes.length - 1);
    const label: fc.Arbitrary<readonly [number, number]> = fc.constantFrom([0, 0], [40, 20], [130, 34]);
    const edge = fc.record({ from: box, to: box, label, back: fc.option(label) });
    return fc.array(edge, { maxLength: 3 * sizes.length, size: 'max' }).map((edges): Unplaced => {
      const both = edges.flatMap(({ from, to, label, back }): Edge[] => [
        [from, to, ...label],
        ...(back ? [[to, from, ...back] as const] : []),
      ]);
      const unlike = new Map(both.filter(([from, to]) => from !== to).map((each) => [`${each[0]} ${each[1]}`, each]));
      return { boxes: sizes.map(([width, height]) => [24 * width, height]), edges: [...unlike.values()] };
    });
  });
}

describe('the places of a picture', () => {
  test('are those that dagre finds (T9)', () => {
    fc.assert(fc.property(anyUnplaced(), (unplaced) => expect(findPlaces(unplaced)).toEqual(reference(unplaced))));
  });

  test('leave room for every box and label', () => {
    fc.assert(
      fc.property(anyUnplaced(), (unplaced) => {
        const places = findPlaces(unplaced);
        const boxes = unplaced.boxes.map(([width, height], number) => ({ ...places.boxes[number]!, width, height }));
        const labels = unplaced.edges.map(([, , width, height], number) => ({ ...places.edges[number]!.label, width, height }));
        const all = [...boxes, ...labels.filter(({ width }) => width > 0)];
        const isUpon = (a: (typeof all)[0], b: (typeof all)[0]): boolean =>
          2 * Math.abs(a.x - b.x) < a.width + b.width && 2 * Math.abs(a.y - b.y) < a.height + b.height;
        expect(all.filter((a, index) => all.slice(index + 1).some((b) => isUpon(a, b)))).toEqual([]);
      }),
    );
  });

  test('are found for a single box too', () => {
    expect(findPlaces({ boxes: [[48, 20]], edges: [] })).toEqual({ boxes: [{ x: 24, y: 10 }], edges: [] });
  });
});
