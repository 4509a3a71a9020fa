import type { DataSource } from 'typeorm';
import type { FlowCatalogue } from '../../flows/catalogue/flow-catalogue.js';
import type { RunCommand } from './run-command.js';
import type { StateChanges } from '../state/state-changes.js';

/** What the use cases of operators work with; `openOperatorAccess` of the live bus makes it. */
export interface OperatorAccess {
  readonly dataSource: DataSource;
  readonly catalogue: FlowCatalogue;
  readonly runner: RunCommand;
  /** Where the runner announces what it has changed. */
  readonly changes: StateChanges;
}

/** What work takes that can be long. */
export interface LongWork<Progress> {
  /** Ends the work between two pages with the reason of the signal; the same call continues it. */
  readonly signal?: AbortSignal;
  /** Called after every page, with how much of all users is behind, from 0 to 1; awaited. */
  readonly onProgress?: (progress: Progress, done: number) => Promise<void> | void;
}
