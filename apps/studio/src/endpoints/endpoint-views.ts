import type { EndpointState } from '@waymark/domain/event-log';

/** Where events are sent, and how far that has come. */
export interface EndpointLine {
  name: string;
  url: string;
  state: EndpointState;
  /** Why it is paused, where nobody asked for it. */
  pauseReason: string | null;
  /** Events that wait; `mostBacklog` is that many or more. */
  backlog: number;
  oldestSeconds: number | null;
  lastSuccess: string | null;
  lastError: string | null;
  /** Events that it refused for good. */
  failures: number;
}

export interface EndpointsShown {
  endpoints: EndpointLine[];
  mostBacklog: number;
  /** A transaction that everything behind it waits for, where one has been open for a while (E3). */
  holdingBack: { what: string; seconds: number } | null;
}

/** What an endpoint said to a test. */
export interface Tested {
  /** Null where there was no answer; the text says why. */
  status: number | null;
  text: string;
}
