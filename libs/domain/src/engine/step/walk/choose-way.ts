import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Context } from '../../../targeting/index.js';
import type { CompiledSplit } from '../../definition/compiled-flow.js';
import type { Way } from '../../definition/definition.js';
import { EngineError } from '../../definition/engine-error.js';

const ZERO = Uint8Array.of(0);

/**
 * The way of a user, or of the group that the request names, by weighted rendezvous hashing: the
 * same on every replica and day, and a changed share moves no more people than it has to (K1).
 * Throws an `EngineError` for a context without an id.
 */
export function chooseWay(
  split: Pick<CompiledSplit, 'uid' | 'by' | 'ways'>,
  context: Context,
): Way {
  const subject = (split.by === 'group' ? context.groupId : null) ?? context.userId;
  if (subject === undefined)
    throw new EngineError(
      'engine.no-subject',
      'a split goes by the id of its user, which is missing',
    );
  const start = concatBytes(utf8ToBytes(split.uid), ZERO, utf8ToBytes(subject), ZERO);
  let chosen = split.ways[0]!;
  let highest = -1;
  for (const way of split.ways) {
    const score = way.share > 0 ? scoreOf(start, way) : -1;
    // The first of equal ones stays.
    if (score > highest) [chosen, highest] = [way, score];
  }
  return chosen;
}

/**
 * Exponentially distributed by its share, so that each way is the highest as often as its share
 * says.
 */
function scoreOf(start: Uint8Array, { name, share }: Way): number {
  const hash = sha256(concatBytes(start, utf8ToBytes(name)));
  const view = new DataView(hash.buffer, hash.byteOffset);
  // The first 52 bits, which a double holds together with the half.
  const number = view.getUint32(0) * 2 ** 20 + (view.getUint32(4) >>> 12);
  return -share / Math.log((number + 0.5) / 2 ** 52);
}
