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
