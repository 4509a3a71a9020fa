export interface Point {
  x: number;
  y: number;
}

/** What has to be placed, by numbers alone: boxes of one room and paths of one course have one arrangement, however they are called. */
export interface Unplaced {
  readonly boxes: readonly (readonly [width: number, height: number])[];
  /** From one box to another one, with the room of what is written on it; no two of them from and to the same boxes. */
  readonly edges: readonly (readonly [from: number, to: number, width: number, height: number])[];
}

/** A place for each box and each edge, in their order: centres, and the points that an edge passes, from box to box. */
export interface Places {
  readonly boxes: readonly Point[];
  readonly edges: readonly { readonly points: Point[]; readonly label: Point }[];
}
