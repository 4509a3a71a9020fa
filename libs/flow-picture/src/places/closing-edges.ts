/** An edge that begins and ends at these. */
type Ends = readonly [from: number, to: number, ...unknown[]];

/**
 * Which edges have to be turned round so that none leads back to where it comes from: those that are met last on the way
 * from where nothing leads to, depth first. In the order in which they are met.
 */
export function closingEdges(boxes: number, edges: readonly Ends[]): number[] {
  const leaving = Array.from({ length: boxes }, (): number[] => []);
  const isLedTo = new Uint8Array(boxes);
  for (const [number, [from, to]] of edges.entries()) {
    leaving[from]!.push(number);
    isLedTo[to] = 1;
  }
  const closing: number[] = [];
  const isSeen = new Uint8Array(boxes);
  const isOnTheWay = new Uint8Array(boxes);
  const visit = (box: number): void => {
    if (isSeen[box]) return;
    isSeen[box] = isOnTheWay[box] = 1;
    for (const number of leaving[box]!) {
      const to = edges[number]![1];
      if (isOnTheWay[to]) closing.push(number);
      else visit(to);
    }
    isOnTheWay[box] = 0;
  };
  for (const box of leaving.keys()) if (!isLedTo[box]) visit(box);
  for (const box of leaving.keys()) visit(box);
  return closing;
}
