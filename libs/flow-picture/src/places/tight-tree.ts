import { type Net, slack } from './net.js';

/** Moves rows until links without slack join all nodes, and answers these links, as many as make a tree. */
export function tightTree(net: Net): number[] {
  const { links, linksOf, rows } = net;
  const tree: number[] = [];
  const joined = [0];
  const isJoined = new Uint8Array(rows.length);
  isJoined[0] = 1;
  const grow = (node: number): void => {
    for (const number of linksOf[node]!) {
      const { from, to } = links[number]!;
      const other = from === node ? to : from;
      if (isJoined[other] || slack(net, number) !== 0) continue;
      isJoined[other] = 1;
      joined.push(other);
      tree.push(number);
      grow(other);
    }
  };
  for (;;) {
    for (const node of joined) grow(node);
    if (joined.length === rows.length) return tree;
    const next = closest(net, isJoined);
    const distance = isJoined[links[next]!.from] ? slack(net, next) : -slack(net, next);
    for (const node of joined) rows[node]! += distance;
  }
}

/** Of the links that lead out of the tree, the first with the least slack. */
function closest(net: Net, isJoined: Uint8Array): number {
  let found = -1;
  for (const [number, { from, to }] of net.links.entries()) {
    if (isJoined[from] !== isJoined[to] && (found < 0 || slack(net, number) < slack(net, found))) found = number;
  }
  return found;
}
