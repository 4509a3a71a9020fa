import { groupId, userId } from '../../users/subject-id.js';
import type { EventOrigin, RequestTrace } from '../state/flow-event-row.js';
import type { Operation } from './advance.js';

/** Who asks: a user of an environment, in a group or none. */
export interface Actor {
  readonly environmentId: string;
  readonly user: string;
  readonly group?: string;
}

export interface CommandOptions {
  /** Known among the last 32 accepted ones: no effect, answered as the first time (B11). */
  readonly idempotencyKey?: string;
  /** Links of the trigger chain that led here, 0 for a request of a client (S19). */
  readonly chain?: number;
  /** Which request it is, for webhooks that come of it (S19). */
  readonly trace?: RequestTrace;
  /** An operator sends the command, which the event records (E5). */
  readonly byOperator?: boolean;
  /** Written to the last event in place of a key: a run finds its own events by it (I6). */
  readonly mark?: string;
  /** Whether the last event keeps the state from before, so that the command can be undone (I6). */
  readonly keepsBefore?: boolean;
  /** It is written only while the user has a state in so many newer versions (ADR 91). */
  readonly newerStates?: number;
}

/**
 * Who a state belongs to, and what the causing request passes on to events and effects (S19, E5).
 */
export interface StateOwner {
  readonly userId: string;
  readonly groupId: string | null;
  readonly groupIdentifier: string | null;
  readonly idempotencyKey: string | null;
  readonly origin: EventOrigin;
  readonly chain: number;
  /** Null where no request is known. */
  readonly trace: RequestTrace | null;
  readonly newerStates?: number;
}

export function ownerOf(
  { environmentId, user, group }: Actor,
  asked: Operation,
  options: CommandOptions,
): StateOwner {
  const { idempotencyKey, mark, chain = 0, trace, newerStates } = options;
  return {
    userId: userId(environmentId, user),
    groupId: group === undefined ? null : groupId(environmentId, group),
    groupIdentifier: group ?? null,
    idempotencyKey: idempotencyKey ?? mark ?? null,
    origin: originOf(asked, options),
    chain,
    trace: trace ?? null,
    ...(newerStates !== undefined && { newerStates }),
  };
}

function originOf(
  asked: Operation,
  { chain = 0, byOperator = false }: CommandOptions,
): EventOrigin {
  if (byOperator) return 'operator';
  if (asked.kind === 'continue') return 'delay';
  if (chain > 0) return 'trigger';
  return asked.kind === 'read' ? 'read' : 'request';
}
