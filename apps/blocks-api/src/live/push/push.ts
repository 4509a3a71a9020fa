import { type BlockState, blockState } from '@waymark/domain/engine';
import { flowJson } from '@waymark/domain/flow-states';
import type { Reading, Touched } from './reading.js';

/** What watchers get, as JSON that is written once for all of them: blocks by uid, then the flow without blocks (L4, L5). */
export interface Push {
  readonly blocks: string;
  readonly flow: string;
}

/** Every block of the version (L4). */
export const snapshotOf = (reading: Reading): Push => pushWith(reading, () => true);

/** The blocks that differ between two readings, and those that were touched in between (L5). */
export function pushOf(before: Reading, after: Reading, touched: Touched): Push {
  const isEdited = before.flow.edition !== after.flow.edition;
  const isOther = (uid: string): boolean => differ(blockState(before.state, uid), blockState(after.state, uid));
  return pushWith(after, (uid) => isEdited || touched.has(uid) || isOther(uid));
}

function differ(one: BlockState, other: BlockState): boolean {
  if (one.active !== other.active || one.entered !== other.entered || one.exited !== other.exited) return true;
  return String(one.transitioned ?? '') !== String(other.transitioned ?? '');
}

function pushWith(reading: Reading, isWanted: (uid: string) => boolean): Push {
  const { flow, state } = reading;
  const json = flowJson(flow);
  return { blocks: json.blocksByUid(state, isWanted), flow: json.flow(reading, false) };
}
