/** What a request can be found by in the logs of everything that took part in it (S19). */
export interface RequestTrace {
  /** The `x-request-id` that it is answered with (W3). */
  readonly requestId: string;
  /** The header of W3C Trace Context, as it came. */
  readonly traceparent?: string;
}
