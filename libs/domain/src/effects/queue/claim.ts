import type { ClaimedEffect } from './claimed-effect.js';

export interface Claim {
  readonly effects: readonly ClaimedEffect[];
  /** Effects that were due and had to wait: there may be others behind them. */
  readonly putOff: number;
}

/** The first six parameters of every statement about one attempt. */
export const ownOf = ({ userId, flow, version, revision, position, attempts }: ClaimedEffect): unknown[] => [
  userId,
  flow,
  version,
  revision,
  position,
  attempts,
];
