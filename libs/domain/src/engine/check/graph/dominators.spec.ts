import { expect, test } from '@jest/globals';
import { fc } from '@waymark/testing/properties';
import { findDominators } from './dominators.js';
import { type Edge, type Graph, type Nodes, reachedFromStart } from './graph.js';

/** A graph of so many nodes and a start after them, which leads to the first. */
function graphOf(size: number, paths: readonly (readonly [from: number, to: number])[]): Graph {
  const edges = [[size, 0] as const, ...paths].map(([from, to]): Edge => ({ from, to, names: [] }));
  const numbers = [...Array(size + 1).keys()];
  return {
    blocks: [],
    start: size,
    out: numbers.map((node) => edges.filter(({ from }) => from === node)),
    into: numbers.map((node) => edges.filter(({ to }) => to === node)),
  };
}

/**
 * The same by definition: whatever cannot be reached without a node lies below it, and the lowest
 * of these is the next.
 */
function dominatorsByDefinition(graph: Graph, within: Nodes): number[] {
  const numbers = [...within.keys()];
  const isAbove = (node: number, other: number): boolean =>
    other !== node && (node === graph.start || reachedFromStart(graph, node)[other] === 0);
  return numbers.map((node) => {
    if (!within[node]) return -1;
    const all = numbers.filter((other) => within[other] && isAbove(other, node));
    return all.find((next) => all.every((other) => other === next || isAbove(other, next))) ?? node;
  });
}

test('a dominator is the next node that every way from the start passes', () => {
  const node = fc.nat(7);
  fc.assert(
    fc.property(fc.array(fc.tuple(node, node), { maxLength: 20 }), (paths) => {
      const graph = graphOf(8, paths);
      const within = reachedFromStart(graph);
      expect([...findDominators(graph, within)]).toEqual(dominatorsByDefinition(graph, within));
    }),
    { numRuns: 500 },
  );
});

test('the paths are gone over once, however many of them lead back', () => {
  const size = 300;
  const back = [...Array(size - 1).keys()].flatMap((node) => [
    [node, node + 1] as const,
    [node + 1, node] as const,
  ]);
  const graph = graphOf(size, [...back, [size, size - 1]]);
  let looks = 0;
  const into = graph.into.map((edges, node) => {
    Object.defineProperty(edges, Symbol.iterator, {
      value: () => {
        looks += 1;
        return graph.into[node]!.values();
      },
    });
    return edges;
  });
  const found = findDominators({ ...graph, into }, reachedFromStart(graph));
  expect(found.every((above) => above === size)).toBe(true);
  expect(looks).toBeLessThanOrEqual(size + 1);
});
