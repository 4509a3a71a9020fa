import type { GraphEdge } from '../graph/flow-graph.js';
import type { Box } from './box.js';

export interface Point {
  x: number;
  y: number;
}

/** A box with the place of its centre. */
export type PlacedBox = Box &
  Point & {
    /** Tells the boxes of one picture apart. */
    key: string;
  };

/** An edge between its boxes, with the points that it passes. */
export interface Placement {
  from: PlacedBox;
  to: PlacedBox;
  points: Point[];
}

export interface PlacedEdge extends Placement {
  edge: GraphEdge;
  /** Leads up, against the reading direction. */
  isBack: boolean;
  /** From a box to itself, at its right side. */
  isLoop: boolean;
  label: Point & Label;
}

/** The names on an edge, and the room they take. */
export interface Label {
  lines: string[];
  width: number;
  height: number;
}
