import type { Context } from '../../engine/index.js';
import type { ResolvedFlow } from '../../flows/index.js';
import { advance } from '../../states/command/advance.js';
import type { StoredState } from '../../states/read/found-state.js';

/**
 * Whether the next read of a flow starts it (S8): what comes before or after, such as a migration,
 * has causes of its own.
 */
export function startsOnRead(
  flow: ResolvedFlow,
  stored: StoredState | null,
  context: Context,
): boolean {
  const { events } = advance(flow, stored, { kind: 'read', starts: true }, context);
  return events.some(({ cause }) => cause.kind === 'start');
}
