import type { Block, FlowDefinition, Target } from '../../engine/index.js';
import type { Renames } from './diff-paths.js';
import { diffParts } from './diff-parts.js';
import { changed, type Difference } from './difference.js';

/**
 * What differs between two definitions of a flow, in words; nothing when they are the same. Blocks are the same when their
 * uids are (F3), so that a rename is one difference, whoever leads to the block.
 */
export function diffFlows(before: FlowDefinition, after: FlowDefinition): Difference[] {
  const renames = findRenames(before.blocks, after.blocks);
  return [
    ...changed(['name'], 'the name', before.name, after.name),
    ...changed(['target'], 'targeting', describeTarget(before.target), describeTarget(after.target)),
    ...changed(
      ['start'],
      'the start',
      before.start.map((id) => renames.get(id) ?? id),
      after.start,
    ),
    ...diffParts(['blocks'], before.blocks, after.blocks, renames),
  ];
}

/** A removed block whose identifier another one has taken over is not that other one. */
function findRenames(before: readonly Block[], after: readonly Block[]): Renames {
  const present = new Map(after.map(({ uid, id }) => [uid, id]));
  const kept = new Set(before.map(({ uid }) => present.get(uid)));
  return new Map(before.map(({ uid, id }) => [id, present.get(uid) ?? (kept.has(id) ? `the former ${id}` : id)]));
}

function describeTarget(target: Target): string {
  return 'when' in target ? `${target.users}: ${target.when}` : target.users;
}
