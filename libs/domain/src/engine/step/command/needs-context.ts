import type { Command } from '../../state/command.js';
import type { CompiledFlow } from '../../definition/compiled-flow.js';

/**
 * Whether a step may look at the properties of user and group, so that a store may leave them unread otherwise: from any
 * state, with migration and edit before the command (S27, S28).
 */
export function needsContext(flow: CompiledFlow, command: Command | 'read'): boolean {
  const kind = command === 'read' ? 'start' : command.kind;
  return flow.hasBranch || (typeof flow.target !== 'string' && (kind === 'start' || kind === 'reset'));
}
