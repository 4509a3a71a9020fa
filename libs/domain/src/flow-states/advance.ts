import {
  adaptToEdit,
  type Command,
  type Context,
  type Effect,
  EMPTY_STATE,
  type FlowEvent,
  type FlowState,
  migrate,
  startOnRead,
  type Step,
  step,
} from '../engine/index.js';
import type { ResolvedFlow } from '../flows/resolved-flow.js';
import type { StoredState } from './flow-state-reader.js';

/** A command, or a read: of a flow, which starts it, or of a block, which does not (S8). */
export type CommandOrRead = Command | { readonly kind: 'read'; readonly starts: boolean };

/** Where a state gets by what is asked of it. Without events it stays as it is. */
export interface Advance {
  readonly revisionBefore: number;
  readonly state: FlowState;
  readonly events: readonly FlowEvent[];
  readonly effects: readonly { readonly revision: number; readonly effect: Effect }[];
}

/** Migration or edit first, as a step of its own; then what was asked (S8, S27, S28). */
export function advance(flow: ResolvedFlow, stored: StoredState | null, asked: CommandOrRead, context: Context): Advance {
  const revisionBefore = stored?.version === flow.version ? stored.revision : 0;
  const current = bringUpToDate(flow, stored, context);
  const applied = apply(flow, current.state, asked, context);
  const steps = [current, applied].filter(({ event }) => event !== null);
  return {
    revisionBefore,
    state: applied.state,
    events: steps.flatMap(({ event }) => event ?? []),
    effects: steps.flatMap(({ effects }, index) => effects.map((effect) => ({ revision: revisionBefore + index + 1, effect }))),
  };
}

/** The state as this version, in its present edition, sees it. */
function bringUpToDate(flow: ResolvedFlow, stored: StoredState | null, context: Context): Step {
  if (!stored) return unchanged(EMPTY_STATE);
  if (stored.version !== flow.version) return migrate(flow.compiled, stored, flow.strategy, context);
  if (stored.edition !== flow.edition) return adaptToEdit(flow.compiled, stored.state, context);
  return unchanged(stored.state);
}

function apply({ compiled }: ResolvedFlow, state: FlowState, asked: CommandOrRead, context: Context): Step {
  if (asked.kind !== 'read') return step(compiled, state, asked, context);
  return asked.starts ? startOnRead(compiled, state, context) : unchanged(state);
}

const unchanged = (state: FlowState): Step => ({ state, event: null, effects: [] });
