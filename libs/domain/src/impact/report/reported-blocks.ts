import { type CompiledFlow, compile, type ExposedBlock, type FlowDefinition } from '../../engine/index.js';

/** Versions that a report is about, the newest last, ready to count with. */
export interface ReportedVersions {
  readonly newest: CompiledFlow;
  /** In the order of the newest version, then what only older ones have; each uid once, as its newest version has it. */
  readonly blocks: readonly ExposedBlock[];
  readonly branches: readonly { readonly uid: string; readonly id: string }[];
}

/** Compiles what a report is about; there has to be at least one definition. */
export function reportedVersions(definitions: readonly FlowDefinition[]): ReportedVersions {
  const compiled = definitions.map(compile).reverse();
  const all = new Map(compiled.toReversed().flatMap(({ byUid }) => [...byUid]));
  // Set again in the order from the newest on: a Map keeps the place of a key that it has, and the newest block wins.
  const ordered = new Map(compiled.flatMap(({ byUid }) => [...byUid.keys()]).map((uid) => [uid, all.get(uid)!]));
  const blocks = [...ordered.values()];
  return {
    newest: compiled[0]!,
    blocks: blocks.filter((block): block is ExposedBlock => 'names' in block),
    branches: blocks.filter(({ kind }) => kind === 'branch'),
  };
}
