/** One thing wrong with a definition (S4), with advice, at its place in the flow file. */
export interface Problem {
  /** Stable and machine-readable, such as `path.unknown-target`. */
  readonly code: string;
  readonly severity: 'error' | 'warning';
  /**
   * Keys to follow through the flow file: `['blocks', 'welcome', 'paths', 'complete']`. The
   * automatic path of a gate, webhook or flow trigger is under `next`, of a split under `to` of its
   * path; the key of a path with several names is the names joined by commas; where several paths
   * share a key, the index of the target comes last. A last key that the file lacks is a thing
   * missing.
   */
  readonly place: readonly (string | number)[];
  readonly message: string;
  /** The position within the expression at `place`; lines and columns count from 1. */
  readonly at?: { readonly line: number; readonly column: number };
}

/** Something that keeps the definition from being stored. */
export function error(code: string, place: Problem['place'], message: string): Problem {
  return { code, severity: 'error', place, message };
}

/** Something that is allowed but hardly meant. */
export function warning(code: string, place: Problem['place'], message: string): Problem {
  return { code, severity: 'warning', place, message };
}
