import type { GraphEdge } from './flow-graph.js';

const THIN = 1;
const PLAIN = 1.5;
const WIDEST = 9;

/**
 * How wide a path is drawn, in pixels: by the share of users who took it, all the same without
 * numbers (E14).
 */
export function widthOf({ share }: GraphEdge): number {
  return share === undefined ? PLAIN : Math.round((THIN + share * (WIDEST - THIN)) * 10) / 10;
}
