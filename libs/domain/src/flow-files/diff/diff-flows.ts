import type { FlowDefinition, Target } from '../../engine/index.js';
import { diffParts } from './diff-parts.js';
import { changed, type Difference } from './difference.js';

/**
 * What differs between two definitions of a flow, in words; nothing when they are the same. Blocks are the same when their
 * uids are (F3), so that a rename is one difference, whoever leads to the block.
 */
export function diffFlows(before: FlowDefinition, after: FlowDefinition): Difference[] {
  const ids = new Map(after.blocks.map(({ uid, id }) => [uid, id]));
  const renames = new Map(before.blocks.map(({ uid, id }) => [id, ids.get(uid) ?? id]));
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

function describeTarget(target: Target): string {
  return 'when' in target ? `${target.users}: ${target.when}` : target.users;
}
