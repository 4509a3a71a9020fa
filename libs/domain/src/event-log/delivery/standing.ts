import type { LogPage } from '../following/read-log.js';
import type { WindowEnd } from './deliver-window.js';
import type { LeasedEndpoint } from './leased-endpoint.js';
import type { Window } from './window.js';

/** How an endpoint stands after a window, as its row tells others. */
export interface EndpointStanding {
  /** When the first event happened that is known to wait. */
  readonly waitingSince: Date | null;
  /** Attempts in a row after which it was down. */
  readonly downs: number;
  /** Null where all is well. */
  readonly error: string | null;
}

export const ALL_WELL: EndpointStanding = { waitingSince: null, downs: 0, error: null };

export function standingAfter(endpoint: LeasedEndpoint, window: Window, page: LogPage, end: WindowEnd): EndpointStanding {
  const isDown = end.kind === 'down' || end.kind === 'gone';
  const downsBefore = window.delivered > 0 ? 0 : endpoint.downs;
  return {
    waitingSince: waitingSince(window, page),
    downs: isDown ? downsBefore + 1 : downsBefore,
    error: isDown ? end.error : window.lastRefusal,
  };
}

/** Behind a window that is settled there may be more, about as old as its last event. */
function waitingSince(window: Window, { isFull, steps }: LogPage): Date | null {
  const [first] = window.waiting;
  if (first) return new Date(first.event.timestamp);
  return isFull ? (steps.at(-1)?.at ?? null) : null;
}

/** Seconds until the endpoint is looked at again: growing while it is down, else when a refused event is due (E8). */
export function pauseAfter({ downs }: EndpointStanding, window: Window, nowMs: number, longestSeconds: number): number {
  if (downs > 0) return Math.min(longestSeconds, 2 ** Math.min(downs - 1, 30));
  return Math.max(0, ((window.nextTryAt ?? nowMs) - nowMs) / 1000);
}
