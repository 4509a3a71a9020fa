import { pauseWhileDown } from '../sending/back-off.js';
import type { LogPage } from '../../events/reader/read-log.js';
import type { WindowEnd } from './window-delivery.js';
import type { LeasedEndpoint } from './lease.js';
import type { DeliveryWindow } from './delivery-window.js';

/** How the delivery to an endpoint went, as its row says. */
export interface DeliveryStatus {
  /** When the first event happened that is known to wait. */
  readonly waitingSince: Date | null;
  /** Attempts in a row after which it was down. */
  readonly downs: number;
  /** Null where all is well. */
  readonly error: string | null;
}

export const ALL_WELL: DeliveryStatus = { waitingSince: null, downs: 0, error: null };

export function statusAfter(
  endpoint: LeasedEndpoint,
  window: DeliveryWindow,
  page: LogPage,
  end: WindowEnd,
): DeliveryStatus {
  const isDown = end.kind === 'down' || end.kind === 'gone';
  const downsBefore = window.delivered > 0 ? 0 : endpoint.downs;
  return {
    waitingSince: waitingSince(window, page),
    downs: isDown ? downsBefore + 1 : downsBefore,
    error: isDown ? end.error : window.lastRefusal,
  };
}

/** Behind a window that is settled there may be more, about as old as its last event. */
function waitingSince(window: DeliveryWindow, { isFull, steps }: LogPage): Date | null {
  const [first] = window.waiting;
  if (first) return new Date(first.event.timestamp);
  return isFull ? (steps.at(-1)?.at ?? null) : null;
}

/**
 * Seconds until the endpoint is looked at again: growing while it is down, else when a refused
 * event is due (E8).
 */
export function pauseAfter(
  { downs }: DeliveryStatus,
  window: DeliveryWindow,
  nowMs: number,
  longestSeconds?: number,
): number {
  if (downs > 0) return pauseWhileDown(downs, longestSeconds);
  return Math.max(0, ((window.nextTryAt ?? nowMs) - nowMs) / 1000);
}
