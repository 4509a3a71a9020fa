import {
  type BlockState,
  blockState,
  type FlowState,
  type InsertedValues,
} from '@waymark/domain/engine';
import { flowJson } from '@waymark/domain/states';
import type { ResolvedFlow } from '@waymark/domain/flows';

/** What watchers get, as JSON: blocks by uid, then the flow without blocks (L4, L5). */
export interface Push {
  readonly blocks: string;
  readonly flow: string;
}
/** A push for those who prefer some languages, written once for all who get the same one (X2). */
export type PushIn = (languages: string | undefined) => Push;

/** A state as it was read: what watchers are shown. */
export interface Reading {
  readonly flow: ResolvedFlow;
  readonly state: FlowState;
  /** 0 where there is no state. */
  readonly revision: number;
  /** What texts show of the user, where they do (Z5). */
  readonly inserted?: InsertedValues;
  /** Whether reading it changed it: then what is done by itself may follow (Z1). */
  readonly tookEffect?: boolean;
}

/**
 * What a change touched, to be shown even where no flag differs (a path back to the same block, L5,
 * L6).
 */
export type Touched = ReadonlySet<string>;

/** Every block of the version (L4). */
export const snapshotOf = (reading: Reading): PushIn => pushWith(reading, () => true);

/** The blocks that differ between two readings, and those that were touched in between (L5). */
export function pushOf(before: Reading, after: Reading, touched: Touched): PushIn {
  const isEdited = before.flow.edition !== after.flow.edition;
  const isOther = (uid: string): boolean =>
    differ(blockState(before.state, uid), blockState(after.state, uid));
  return pushWith(after, (uid) => isEdited || touched.has(uid) || isOther(uid));
}

function differ(one: BlockState, other: BlockState): boolean {
  if (one.active !== other.active || one.entered !== other.entered || one.exited !== other.exited)
    return true;
  return String(one.transitioned ?? '') !== String(other.transitioned ?? '');
}

function pushWith(reading: Reading, isWanted: (uid: string) => boolean): PushIn {
  const written = new Map<string | undefined, Push>();
  return (languages) => {
    const json = flowJson(reading.flow, languages);
    const known = written.get(json.language);
    if (known) return known;
    const push = {
      blocks: json.blocksByUid(reading, isWanted),
      flow: json.flow(reading, false),
    };
    written.set(json.language, push);
    return push;
  };
}
