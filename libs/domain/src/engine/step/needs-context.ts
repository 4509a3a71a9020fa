import type { Command } from '../state/command.js';
import type { CompiledFlow } from '../definition/compiled-flow.js';
import { isRunning, isUntouched } from '../state/inspect-state.js';
import type { FlowState } from '../state/state.js';

/**
 * Whether a step may look at the properties of user and group, so that a store may leave them unread otherwise. Without
 * a state it answers for any state, with migration and edit before the command (S27, S28); with one, for a state of
 * this very definition, which makes it rarer.
 */
export function needsContext(flow: CompiledFlow, command: Command | 'read', state?: FlowState): boolean {
  const asksTargeting = typeof flow.target !== 'string';
  const kind = command === 'read' ? 'start' : command.kind;
  if (!state) return flow.hasBranch || (asksTargeting && (kind === 'start' || kind === 'reset'));
  if (kind === 'stop' || kind === 'finish') return false;
  if (kind === 'transition') return flow.hasBranch && isRunning(state);
  return (flow.hasBranch || asksTargeting) && (kind === 'reset' || isUntouched(state));
}
