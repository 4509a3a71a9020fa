/** The specs that a run begins with, by their paths from the root. */
export const FIRST: readonly string[];

/** Which spec files run together, in the order in which they run. Each file is in one batch. */
export function planBatches(files: readonly string[]): string[][];
