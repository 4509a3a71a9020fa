import type { Endpoint } from '../endpoints/endpoint.js';
import type { OpenWindow } from '../endpoints/endpoint-progress.js';
import type { LogPosition } from '../following/log-position.js';

/** An endpoint as the process that delivers for it sees it, read again before each window. */
export interface LeasedEndpoint
  extends
    Pick<Endpoint, 'id' | 'environmentId' | 'name' | 'url' | 'format' | 'flows' | 'types' | 'headers' | 'drafts' | 'since'>,
    LogPosition {
  /** Name of the environment. */
  readonly environment: string;
  readonly isPaused: boolean;
  /** The secrets that sign now: one, or two while one is being replaced. */
  readonly secrets: readonly string[];
  readonly openWindow: OpenWindow | null;
  readonly downs: number;
  readonly setAsideInARow: number;
  /** Time of the database, in milliseconds of 1970. */
  readonly nowMs: number;
}
