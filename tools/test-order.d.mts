/** The specs that a run begins with, by their paths from the root. */
export const FIRST: readonly string[];
