/** What went wrong, in the words of the service where it said something. */
export class WaymarkError extends Error {
  /** For programs: `not_found_error`, `network_error`, … */
  declare readonly code: string;
  /** For people: what was wrong, where, and what is allowed. */
  declare readonly details: string;
  /** Finds the request in the logs of the service. */
  declare readonly requestId?: string;
  /** Of HTTP; 0 where no answer came. */
  declare readonly status: number;
  /** Seconds to wait before the next try, where the service said so. */
  declare readonly retryAfter?: number;

  constructor(details: string, more?: object) {
    super(details);
    Object.assign(this, { code: 'network_error', details, status: 0 }, more);
  }
}

export const toError = (error: unknown): WaymarkError =>
  error instanceof WaymarkError ? error : new WaymarkError(`${error as string}`);

/** What it returns; undefined where it throws. */
export function attempt<Result>(
  run: () => Result,
  onFault?: (fault: WaymarkError) => void,
): Result | undefined {
  try {
    return run();
  } catch (fault) {
    return onFault?.(toError(fault)) as undefined;
  }
}
