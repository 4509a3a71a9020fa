import {
  adaptToEdit,
  type Command,
  type Context,
  type Effect,
  EMPTY_STATE,
  type FlowEvent,
  type FlowState,
  migrate,
  restore,
  startOnRead,
  type StateBefore,
  stopAtEnd,
  type Step,
  step,
  takeDone,
  type Waiting,
  waitsUntil,
} from '../../engine/index.js';
import type { ResolvedFlow } from '../../flows/catalogue/resolved-flow.js';
import type { StoredState } from '../read/flow-state-reader.js';

/** A command, or a read: of a flow, which starts it, or of a block, which does not (S8). */
export type CommandOrRead = Command | { readonly kind: 'read'; readonly starts: boolean };

/** Puts a former state back: what it was after that revision (I5). */
interface Restore {
  readonly kind: 'restore';
  readonly revision: number;
  readonly state: FlowState;
  /**
   * Of an undo: only if the state is at this revision now, so that a user who has moved on is left
   * alone (I6).
   */
  readonly ifRevision?: number;
}

export type Operation = CommandOrRead | Restore;

/** What a command makes of a state. Without events it stays as it is. */
export interface Advance {
  readonly revisionBefore: number;
  readonly state: FlowState;
  readonly events: readonly FlowEvent[];
  readonly effects: readonly { readonly revision: number; readonly effect: Effect }[];
  /** Delays that wait since this, whose rows are written (Z4). */
  readonly delays: readonly DelayEntry[];
}

export interface DelayEntry {
  /** Its uid. */
  readonly block: string;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/**
 * Migration or edit first, as a step of its own, then the end where it has come, then what was
 * asked, then what is done by itself (S8, S27, S28, Z1, Z8). A restored state comes first, and the
 * edit after it (I5). With `keepsBefore` the last event carries the state from before what was
 * asked (I6).
 */
export function advance(
  flow: ResolvedFlow,
  stored: StoredState | null,
  asked: Operation,
  context: Context,
  keepsBefore = false,
): Advance {
  const present: StateBefore =
    stored?.version === flow.version ? stored : { revision: 0, state: EMPTY_STATE };
  const steps =
    asked.kind === 'restore'
      ? putBack(flow, present, asked, context)
      : moveOn(flow, stored, asked, context);
  const done = steps.filter(({ event }) => event !== null);
  const events = done.flatMap(({ event }) => event ?? []);
  const revisionBefore = present.revision;
  const { state } = steps.at(-1)!;
  return {
    revisionBefore,
    state,
    events: keepsBefore
      ? withBefore(
          events,
          asked.kind === 'restore' || done.length < 2 ? present : beforeLast(present, done),
        )
      : events,
    effects: done.flatMap(({ effects }, index) =>
      effects.map((effect) => ({ revision: revisionBefore + index + 1, effect })),
    ),
    delays: state.waiting
      ? newDelays(asked.kind === 'restore' ? EMPTY_STATE : present.state, state.waiting)
      : NONE,
  };
}

const NONE: readonly DelayEntry[] = [];

/**
 * Sorted, so that two writers lock rows in the same order (R7). Of a restored state, whose rows may
 * be gone, all are written.
 */
const newDelays = (before: FlowState, waiting: Waiting): DelayEntry[] =>
  Object.keys(waiting)
    .filter((block) => waitsUntil(before, block) !== waiting[block])
    .sort()
    .map((block) => ({ block, until: waiting[block]! }));

function moveOn(
  flow: ResolvedFlow,
  stored: StoredState | null,
  asked: CommandOrRead,
  context: Context,
): Step[] {
  const current = bringUpToDate(flow, stored, context);
  const ended = stopAtEnd(flow.compiled, current.state, context);
  const applied = apply(flow, ended.state, asked, context);
  if (!isLooking(asked, flow)) return [current, ended, applied];
  return [current, ended, applied, takeDone(flow.compiled, applied.state, context)];
}

/**
 * Whether what is done by itself is looked for afterwards: not by commands about the flow as a
 * whole (Z1).
 */
export const isLooking = ({ kind }: Operation, { compiled }: ResolvedFlow): boolean =>
  compiled.done.length > 0 && (kind === 'read' || kind === 'transition');

/** Only version 0 can have been edited since; nobody who has no state gets one. */
function putBack(
  flow: ResolvedFlow,
  present: StateBefore,
  { state, revision, ifRevision }: Restore,
  context: Context,
): Step[] {
  const isThere = present.revision > 0 && (ifRevision ?? present.revision) === present.revision;
  const isUndo = ifRevision !== undefined;
  const restored = isThere
    ? restore(present.state, state, revision, isUndo)
    : unchanged(present.state);
  if (!restored.event || flow.version > 0) return [restored];
  return [restored, adaptToEdit(flow.compiled, restored.state, context)];
}

const beforeLast = ({ revision }: StateBefore, done: readonly Step[]): StateBefore => ({
  revision: revision + done.length - 1,
  state: done.at(-2)!.state,
});

function withBefore(events: readonly FlowEvent[], { revision, state }: StateBefore): FlowEvent[] {
  return events.map((event, index) =>
    index < events.length - 1
      ? event
      : {
          ...event,
          // An undo has to understand the state from before (Z0).
          format: state.format > event.format ? state.format : event.format,
          before: { revision, state },
        },
  );
}

/** The state as this version, in its present edition, sees it. */
function bringUpToDate(flow: ResolvedFlow, stored: StoredState | null, context: Context): Step {
  if (!stored) return unchanged(EMPTY_STATE);
  if (stored.version !== flow.version)
    return migrate(flow.compiled, stored, flow.strategy, context);
  if (stored.edition !== flow.edition) return adaptToEdit(flow.compiled, stored.state, context);
  return unchanged(stored.state);
}

function apply(
  { compiled }: ResolvedFlow,
  state: FlowState,
  asked: CommandOrRead,
  context: Context,
): Step {
  if (asked.kind !== 'read') return step(compiled, state, asked, context);
  return asked.starts ? startOnRead(compiled, state, context) : unchanged(state);
}

const unchanged = (state: FlowState): Step => ({ state, event: null, effects: [] });
