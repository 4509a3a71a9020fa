import type { FlowGraph } from '../graph/flow-graph.js';

/**
 * How many levels all edges of the graph span together, roughly: what the time and the size of a layout grow with. Levels
 * are those of longest paths from the start, edges that lead back aside.
 */
export function lengthOfEdges({ nodes, edges }: FlowGraph): number {
  const targets = new Map(nodes.map(({ id }) => [id, edges.filter(({ from }) => from === id).map(({ to }) => to)]));
  const order = orderOf(targets);
  const place = new Map(order.map((id, index) => [id, index]));
  const leadsOn = (from: string, to: string): boolean => place.get(from)! < place.get(to)!;
  const levels = new Map(order.map((id) => [id, 0]));
  for (const id of order) {
    for (const to of targets.get(id)!) if (leadsOn(id, to)) levels.set(to, Math.max(levels.get(to)!, levels.get(id)! + 1));
  }
  // A finish is drawn beside each block that leads there.
  const drawn = edges.filter(({ to }) => to !== 'finish');
  return drawn.reduce((sum, { from, to }) => sum + Math.abs(levels.get(to)! - levels.get(from)!), 0);
}

/** Every node behind those that lead to it, except along edges that close a circle. */
function orderOf(targets: ReadonlyMap<string, readonly string[]>): string[] {
  const seen = new Set<string>();
  const finished: string[] = [];
  const visit = (id: string): void => {
    if (seen.has(id)) return;
    seen.add(id);
    targets.get(id)!.forEach(visit);
    finished.push(id);
  };
  for (const id of targets.keys()) visit(id);
  return finished.reverse();
}
