/** One thing wrong with a definition (S4), with advice, at its place in the flow file. */
export interface Problem {
  /** Stable and machine-readable, such as `path.unknown-target`. */
  readonly code: string;
  readonly severity: 'error' | 'warning';
  /**
   * Keys to follow through the flow file: `['blocks', 'welcome', 'paths', 'complete']`. The automatic path of a gate,
   * webhook or flow trigger is under `next`; the key of a path with several names is the names joined by commas; where
   * several paths share a key, the index of the target comes last.
   */
  readonly place: readonly (string | number)[];
  readonly message: string;
  /** Where in the expression that stands at `place`; lines and columns count from 1. */
  readonly at?: { readonly line: number; readonly column: number };
}
