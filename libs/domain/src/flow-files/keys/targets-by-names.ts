import type { Path } from '../../engine/index.js';

/** Where a block leads, as its file says. */
export interface BlockTargets {
  paths: Path[];
  /** Of a custom block, only where a name leads nowhere: all its names (S3). */
  names?: string[];
}

/**
 * Targets by their keys in a file, in its order: paths that carry the same names share one (S1),
 * and a name that leads nowhere has one of its own, without targets (F1).
 */
export function targetsByNames({ paths, names = [] }: BlockTargets): Map<string, string[]> {
  const paired = new Map<string, string[]>();
  for (const { names, to } of paths)
    paired.set(names.join(), [...(paired.get(names.join()) ?? []), to]);
  const first = new Map<string, string>();
  for (const { names } of paths)
    for (const name of names) if (!first.has(name)) first.set(name, names.join());
  const ordered = new Map<string, string[]>();
  const pending = [...paired.keys()];
  for (const name of names) {
    const key = first.get(name);
    if (key === undefined) ordered.set(name, []);
    else while (pending.length > 0 && !ordered.has(key)) take(pending.shift()!);
  }
  for (const key of pending) take(key);
  return ordered;

  function take(key: string): void {
    ordered.set(key, paired.get(key)!);
  }
}
