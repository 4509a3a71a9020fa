import {
  type CompiledFlow,
  type Context,
  type Effect,
  EMPTY_STATE,
  type FlowEvent,
  type FlowState,
  isEmptyState,
  isRunning,
  migrate,
  type MigrationStrategy,
  startOnRead,
  type Uid,
} from '../../engine/index.js';

/** A version as users meet it, with how they come into it. */
export interface Meeting {
  readonly version: number;
  readonly compiled: CompiledFlow;
  readonly strategy: MigrationStrategy;
}

/** The state of the highest version that a user met. */
export interface MetState {
  readonly version: number;
  readonly state: FlowState;
}

/** What meeting a version does to one user (S28). */
export interface Outlook {
  /** Whether there was anything to happen to. */
  readonly met: boolean;
  readonly restarted: boolean;
  readonly stopped: boolean;
  readonly finished: boolean;
  /** Blocks that the user was in and that are no longer there. */
  readonly lost: readonly Uid[];
  readonly gates: readonly Uid[];
  readonly effects: readonly Effect[];
}

const NOTHING: Outlook = { met: false, restarted: false, stopped: false, finished: false, lost: [], gates: [], effects: [] };

/** What the real migration does to a state. */
export function foresee({ compiled, strategy }: Meeting, older: MetState | null, context: Context): Outlook {
  if (!older || isEmptyState(older.state)) return NOTHING;
  const { state, event, effects } = migrate(compiled, older, strategy, context);
  return {
    met: true,
    restarted: event !== null && isRestart(event),
    stopped: isRunning(older.state) && state.stopped,
    finished: !older.state.finished && state.finished,
    lost: findLost(compiled, older.state),
    gates: event?.changes.flatMap((change) => (change.kind === 'passed' ? change.gate : [])) ?? [],
    effects,
  };
}

/** Whether the next read starts the flow for this user (S8). */
export function wouldEnter(meeting: Meeting, met: MetState | null, context: Context): boolean {
  return startOnRead(meeting.compiled, stateAtMeeting(meeting, met, context), context).event !== null;
}

function stateAtMeeting({ version, compiled, strategy }: Meeting, met: MetState | null, context: Context): FlowState {
  if (!met) return EMPTY_STATE;
  return met.version === version ? met.state : migrate(compiled, met, strategy, context).state;
}

/** Flags that are kept name all three; a start names but one. */
function isRestart({ changes }: FlowEvent): boolean {
  return changes.some((change) => change.kind === 'flow' && change.started === true && change.stopped === undefined);
}

function findLost({ byUid }: CompiledFlow, { blocks }: FlowState): Uid[] {
  const isShown = (uid: Uid): boolean => 'names' in (byUid.get(uid) ?? {});
  return Object.keys(blocks).filter((uid) => blocks[uid]!.active && !isShown(uid));
}
