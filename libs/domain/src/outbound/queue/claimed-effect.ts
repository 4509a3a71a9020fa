import type { Effect } from '../../engine/index.js';
import type { RequestTrace } from '../../states/state/flow-event-row.js';

/** An effect that this process may carry out until its lease ends, with all it takes to do so. */
export interface ClaimedEffect<E extends Effect = Effect> {
  readonly userId: string;
  readonly flow: string;
  readonly version: number;
  readonly revision: number;
  readonly position: number;
  /** The `webhook-id`, or the idempotency key of the trigger: stable over repeats. */
  readonly id: string;
  /**
   * Effects of one queue share the slots of a process: the host of a webhook, or an empty text for
   * triggers.
   */
  readonly queue: string;
  readonly effect: E;
  /** Group of the causing request. */
  readonly group: string | null;
  /** Links of the trigger chain that led here. */
  readonly chain: number;
  /** The request that led here, by way of triggers too. */
  readonly trace: RequestTrace | null;
  /** This attempt included. */
  readonly attempts: number;
  /** Time of the event. */
  readonly createdAt: Date;
  /** Time of this attempt. */
  readonly now: Date;
  readonly environmentId: string;
  /** Its name. */
  readonly environment: string;
  /**
   * The secrets that sign webhooks of the environment now: one, two while one is being replaced, or
   * none (E9).
   */
  readonly secrets: readonly string[];
  readonly user: string;
  /** The identifier, where the flow has no name. */
  readonly flowName: string;
}

export interface Claim {
  readonly effects: readonly ClaimedEffect[];
  /** Effects that were due and had to wait: there may be others behind them. */
  readonly putOff: number;
}

/** The first six parameters of every statement about one attempt. */
export const ownOf = ({
  userId,
  flow,
  version,
  revision,
  position,
  attempts,
}: ClaimedEffect): unknown[] => [userId, flow, version, revision, position, attempts];
