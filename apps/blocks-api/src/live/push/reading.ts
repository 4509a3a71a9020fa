import type { FlowState } from '@waymark/domain/engine';
import type { ResolvedFlow } from '@waymark/domain/flows';

/** A state as it was read: what watchers are shown. */
export interface Reading {
  readonly flow: ResolvedFlow;
  readonly state: FlowState;
  /** 0 where there is no state. */
  readonly revision: number;
}

/** What a change touched, to be shown even where no flag differs (a path back to the same block, L5, L6). */
export type Touched = ReadonlySet<string>;
