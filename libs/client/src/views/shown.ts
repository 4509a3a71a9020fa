import type { Pending } from '../commands/queue.js';
import type { FlowsAnswer, Version, WireBlock, WireFlow } from '../shapes/wire.js';

/** The last answer of the service about a flow. */
export interface Known extends Omit<WireFlow, 'version'> {
  /** As it was requested, then as it was answered: it stays the one first read. */
  readonly version: Version;
  /** -1 before there is data. */
  readonly revision: number;
  readonly blocks: readonly WireBlock[];
}

/** A flow that a page shows. */
export interface Shown {
  /** Another object whenever something is shown differently. */
  known: Known;
  /** What a server knew. */
  readonly initial: Known;
}

/** `onboarding@3` as a server knew it, if it did. */
export function createShown(reference: string, initial?: FlowsAnswer): Shown {
  const [sid = '', version = 'latest'] = reference.split('@');
  const known = (initial?.flows.find((flow) => flow.sid === sid) as Known | undefined) ?? {
    sid,
    version,
    revision: -1,
    state: { started: false, stopped: false, finished: false },
    blocks: [],
  };
  return { known, initial: known };
}

/** Names by which the block is certainly left, though the service has not said so yet. */
export const leftBy = (pending: Iterable<Pending>, name: string, version: Version): string[] =>
  [...pending].flatMap(({ path }) =>
    path.startsWith(`${name}/transition?version=${version}&`)
      ? new URLSearchParams(path).getAll('transitions').filter((one) => one !== 'previous')
      : [],
  );
