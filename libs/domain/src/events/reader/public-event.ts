import type { Answer } from '../../engine/index.js';
import type { EventOrigin } from '../../states/state/flow-event-row.js';

/** The types of public events (E5). */
export const EVENT_TYPES = [
  'flow.started',
  'flow.stopped',
  'flow.finished',
  'flow.reset',
  'flow.migrated',
  'flow.edited',
  'flow.restored',
  'block.entered',
  'block.exited',
  'branch.taken',
  'split.taken',
  'delay.entered',
  'delay.left',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** What a command was; on events from before the origin was recorded it is left out. */
export type EventCommand =
  | 'start'
  | 'reset'
  | 'stop'
  | 'finish'
  | 'transition'
  | 'continue'
  | 'edited'
  | 'ended'
  | 'condition'
  | 'migrated'
  | 'restored';

/**
 * One thing that happened, as receivers get it: identifiers and no uids (E5). What is not known is
 * left out.
 */
export interface PublicEvent {
  /** The same in every delivery. */
  readonly id: string;
  readonly type: EventType;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly environment: string;
  readonly user: string;
  readonly group?: string;
  readonly flow: string;
  readonly version: number;
  readonly revision: number;
  readonly block?: string;
  readonly blockType?: string;
  /** Names that were taken when the block was left. */
  readonly transitions?: readonly string[];
  /** What the user answered when they left the block (Z3). */
  readonly data?: Answer;
  /** Of a branch. */
  readonly outcome?: boolean;
  /** Of a split (K4). */
  readonly path?: string;
  /** When a delay goes on; ISO 8601 (Z4). */
  readonly until?: string;
  readonly command?: EventCommand;
  readonly by?: EventOrigin | 'ended';
}
