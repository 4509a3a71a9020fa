import { type Link, netOf, type Net, slack } from './net.js';
import { tightTree } from './tight-tree.js';

/** Between a box and what it leads to is a row for what is written on the edge. */
const STEP = 2;
/** The largest flows need some hundred; rows are as they have to be before the first one. */
const MOST_EXCHANGES = 2_000;

/**
 * A row for each box, such that all links lead down and are as short as they can be together: the network simplex of Gansner,
 * Koutsofios, North and Vo, "A Technique for Drawing Directed Graphs".
 */
export function findRows(boxes: number, edges: readonly (readonly [from: number, to: number])[]): number[] {
  const net = netOf(boxes + 1, linksOf(boxes, edges));
  const tree = tightTree(net);
  for (let exchanges = 0; exchanges < MOST_EXCHANGES; exchanges += 1) {
    const rooted = root(net, tree);
    const cuts = cutValues(net, rooted);
    const leaving = tree.findIndex((number) => cuts[number]! < 0);
    if (leaving < 0) break;
    tree.push(entering(net, rooted, tree.splice(leaving, 1)[0]!));
  }
  const rows = [...net.rows.subarray(0, boxes)];
  const first = rows.reduce((least, row) => Math.min(least, row), Infinity);
  return rows.map((row) => row - first);
}

/** One for each two boxes, and one of no weight to each box from above all of them, so that all hang together. */
function linksOf(boxes: number, edges: readonly (readonly [from: number, to: number])[]): Link[] {
  const links = new Map<number, Link>();
  for (const [from, to] of edges) {
    const link = links.get(from * boxes + to);
    if (link) link.weight += 1;
    else links.set(from * boxes + to, { from, to, least: STEP, weight: 1 });
  }
  const above = Array.from({ length: boxes }, (_, to): Link => ({ from: boxes, to, least: 1, weight: 0 }));
  return [...links.values(), ...above];
}

/** A tree of links, seen from the first node: rows as its links demand them. */
interface Rooted {
  isInTree: Uint8Array;
  /** Of each node the link towards the root, -1 of the root. */
  up: Int32Array;
  /** All nodes, each before those below it in the tree, which follow it at once. */
  order: number[];
  /** Where a node is in this order, and how many nodes its part of the tree has. */
  place: Int32Array;
  size: Int32Array;
}

function root({ links, linksOf, rows }: Net, tree: readonly number[]): Rooted {
  const isInTree = new Uint8Array(links.length);
  for (const number of tree) isInTree[number] = 1;
  const up = new Int32Array(rows.length).fill(-1);
  const place = new Int32Array(rows.length);
  const size = new Int32Array(rows.length).fill(1);
  const order: number[] = [];
  const waiting = [0];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    place[node] = order.length;
    order.push(node);
    for (const number of linksOf[node]!) {
      if (!isInTree[number] || number === up[node]) continue;
      const { from, to, least } = links[number]!;
      const other = from === node ? to : from;
      up[other] = number;
      rows[other] = rows[node]! + (from === node ? least : -least);
      waiting.push(other);
    }
  }
  for (let index = order.length - 1; index > 0; index -= 1) {
    const { from, to } = links[up[order[index]!]!]!;
    size[from === order[index] ? to : from]! += size[order[index]!]!;
  }
  return { isInTree, up, order, place, size };
}

/** What all links together would lose of their length if a link of the tree became longer by one; negative where they would gain. */
function cutValues({ links, linksOf }: Net, { isInTree, up, order }: Rooted): Int32Array {
  const cuts = new Int32Array(links.length);
  for (let index = order.length - 1; index > 0; index -= 1) {
    const node = order[index]!;
    const own = up[node]!;
    const leadsUp = links[own]!.from === node;
    let cut = links[own]!.weight;
    for (const number of linksOf[node]!) {
      if (number === own) continue;
      const value = links[number]!.weight - (isInTree[number] ? cuts[number]! : 0);
      cut += (links[number]!.from === node) === leadsUp ? value : -value;
    }
    cuts[own] = cut;
  }
  return cuts;
}

/** The link of least slack that joins both parts of the tree again, against the direction of the one that leaves it. */
function entering(net: Net, { up, place, size }: Rooted, leaving: number): number {
  const { from, to } = net.links[leaving]!;
  const isLower = up[to] === leaving;
  const top = isLower ? to : from;
  const isBelow = (node: number): boolean => place[node]! >= place[top]! && place[node]! < place[top]! + size[top]!;
  let found = -1;
  for (const [number, link] of net.links.entries()) {
    if (isBelow(link.from) !== isLower || isBelow(link.to) === isLower) continue;
    if (found < 0 || slack(net, number) < slack(net, found)) found = number;
  }
  return found;
}
