/**
 * That a state has moved to a revision, sent after the commit (L8). What it is now is read from the
 * database.
 */
export interface StateChange {
  readonly userId: string;
  readonly flow: string;
  readonly version: number;
  readonly revision: number;
}

/**
 * A transition of an active block that took no effect: watchers who hid it already need the block
 * as it is (L6).
 */
export interface UnchangedBlock {
  readonly userId: string;
  readonly flow: string;
  readonly version: number;
  readonly block: string;
}

export type Announcement = StateChange | UnchangedBlock;

/** Where commands announce what they have committed. Announcing never fails and never waits. */
export abstract class StateChanges {
  abstract announce(announcement: Announcement): void;

  /**
   * Where nothing is sent by itself: sends what was gathered. To be awaited now and then, and
   * before the process ends.
   */
  flush?(): Promise<void>;
}
