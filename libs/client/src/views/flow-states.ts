import type { Pending } from '../commands/queue.js';
import { attempt, WaymarkError } from '../requests/error.js';
import type { FlowsAnswer, Version, WireBlock, WireFlow } from '../shapes/wire.js';

/** The last answer of the service about a flow. */
export interface Known extends Omit<WireFlow, 'version'> {
  /** As it was requested, then as it was answered: it stays the one first read. */
  readonly version: Version;
  /** -1 before there is data. */
  readonly revision: number;
  readonly blocks: readonly WireBlock[];
}

/** A flow of the page. */
export interface FlowState {
  /** Another object whenever something is shown differently. */
  known: Known;
  /** What a server knew. */
  readonly initial: Known;
}

/**
 * By the name of a flow or a block, or the path of a command; an empty one for names of no flow of
 * the page.
 */
export type FindFlow = (name: string) => FlowState;

/** What is known of the flows of a page. Every store looks again whenever that changes. */
export function createFlowStates(
  references: readonly string[],
  initial: FlowsAnswer | undefined,
  onError: (error: WaymarkError) => void,
) {
  const flows = references.map((reference) => createFlowState(reference, initial));
  const none = createFlowState('');
  /** Commands whose effect the service has not shown yet (C4). */
  const pending = new Set<Pending>();
  const listeners = new Set<() => void>();

  const find: FindFlow = (name) =>
    flows.find((flow) => flow.known.sid === name.split(/[./]/)[0]) ?? none;
  const reported = new Set<string>();
  /** Once for each name. */
  const reportMissing = (name: string): void => {
    if (!reported.has(name))
      setTimeout(() =>
        onError(new WaymarkError(`${name} is not in these flows`, { code: 'not_found_error' })),
      );
    reported.add(name);
  };
  const isWaiting = (): boolean => flows.some(({ known }) => known.waits);
  const show = (known: Known): void => {
    find(known.sid).known = { ...known };
    // Commands end when what they led to is shown (B14).
    for (const command of pending)
      if (command.revision! <= find(command.path).known.revision) pending.delete(command);
    for (const notify of listeners) attempt(notify, onError);
  };
  /**
   * Shows a push, with the blocks that changed by uid. Returns whether the flows have to be read,
   * as it does not say all.
   */
  function showPush(wire: WireFlow, changed: Readonly<Record<string, WireBlock>>): boolean {
    const { version, revision, waits, blocks } = find(wire.sid).known;
    const { started, stopped, finished } = wire.state;
    const isNew = wire.revision > revision;
    // The state may have been deleted since, and the version that is being edited may have other
    // blocks now.
    if (wire.revision < revision || !version) return true;
    show({
      // Pushes say nothing of it.
      ...(!isNew && { waits }),
      ...wire,
      blocks: blocks.map((block) => changed[block.uid] ?? block),
    });
    // It leaves its place to one that waits.
    return isNew && (!started || stopped || finished) && isWaiting();
  }
  // Not an object, whose names would be loaded by every page.
  return [flows, find, show, showPush, isWaiting, reportMissing, pending, listeners] as const;
}

/** `onboarding@3` as a server knew it, if it did. */
function createFlowState(reference: string, initial?: FlowsAnswer): FlowState {
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
