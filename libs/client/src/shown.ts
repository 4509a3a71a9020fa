import type { Pending } from './queue.js';
import type { WireBlock, WireFlow } from './wire.js';

/** What is known of a flow. */
export interface Known {
  /** -1 before there is data. */
  readonly version: number;
  readonly revision: number;
  readonly state: WireFlow['state'];
  /** By sid, in the order of the definition. */
  readonly blocks: ReadonlyMap<string, WireBlock>;
}

export const NOTHING_YET: Known = {
  version: -1,
  revision: -1,
  state: { started: false, stopped: false, finished: false },
  blocks: new Map(),
};

/** A flow that a page shows: what the service told last, and the commands that it has not told of yet (C4). */
export interface Shown {
  readonly sid: string;
  /** As it was asked for, then as it was answered: the version stays the one first read. */
  version: string;
  known: Known;
  /** What a server knew. */
  initial: Known;
  readonly pending: Set<Pending>;
  /** Counts changes of what is shown. */
  turn: number;
}

export const createShown = (reference: string): Shown => {
  const [sid = '', version = 'latest'] = reference.split('@');
  return { sid, version, known: NOTHING_YET, initial: NOTHING_YET, pending: new Set(), turn: 0 };
};

/** `isWhole` where it has every block, otherwise those that changed. */
export function takeIn(shown: Shown, { version, revision, state, blocks }: WireFlow, isWhole: boolean): void {
  const before = isWhole ? [] : shown.known.blocks;
  shown.known = {
    version,
    revision,
    state,
    blocks: new Map([...before, ...blocks!.map((block) => [block.sid, block] as const)]),
  };
  shown.version = `${version}`;
  forgetTold(shown);
}

/** Commands end when what they led to is shown (B14). */
export function forgetTold({ pending, known }: Shown): void {
  for (const command of pending) if (command.reached! <= known.revision) pending.delete(command);
}

/** Names by which the block is certainly left, though the service has not told yet. */
export const leftBy = ({ pending, version }: Shown, sid: string): string[] =>
  [...pending].flatMap((command) =>
    command.sid === sid && command.version === version
      ? command.query.flatMap(([, name]) => (name === 'previous' ? [] : name))
      : [],
  );
