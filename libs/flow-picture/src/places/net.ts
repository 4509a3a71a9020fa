/** Leads from a row to one below, so many rows deeper at least; the heavier it is, the shorter it ought to be. */
export interface Link {
  readonly from: number;
  readonly to: number;
  readonly least: number;
  weight: number;
}

/** Nodes with the links between them, no two of which join the same nodes, and a row for each node. */
export interface Net {
  readonly links: readonly Link[];
  /** The links of each node: those that lead to it, then those that leave it. */
  readonly linksOf: readonly (readonly number[])[];
  readonly rows: Int32Array;
}

/** How much longer a link is than it has to be. */
export function slack({ links, rows }: Net, number: number): number {
  const { from, to, least } = links[number]!;
  return rows[to]! - rows[from]! - least;
}

/** Each node in the lowest row that it may have, above all that it leads to. */
export function netOf(nodes: number, links: readonly Link[]): Net {
  const into = Array.from({ length: nodes }, (): number[] => []);
  const out = Array.from({ length: nodes }, (): number[] => []);
  for (const [number, { from, to }] of links.entries()) {
    out[from]!.push(number);
    into[to]!.push(number);
  }
  const rows = new Int32Array(nodes);
  const isPlaced = new Uint8Array(nodes);
  const place = (node: number): number => {
    if (isPlaced[node]) return rows[node]!;
    isPlaced[node] = 1;
    const highest = out[node]!.map((number) => place(links[number]!.to) - links[number]!.least);
    return (rows[node] = highest.length === 0 ? 0 : Math.min(...highest));
  };
  for (const node of out.keys()) place(node);
  return { links, linksOf: into.map((leadsHere, node) => [...leadsHere, ...out[node]!]), rows };
}
