import type { Announcement } from '../flow-states/state/state-changes.js';

export type { Announcement };

/**
 * How replicas tell each other that a state moved. A hint, never the truth: what is lost is found by comparing revisions,
 * so telling never fails and never waits.
 */
export interface LiveBus {
  /** Whether announcements of others arrive just now. */
  readonly isConnected: boolean;
  /** Tells the other replicas soon, several announcements at once. */
  announce(announcement: Announcement): void;
  /** Calls back with what other replicas, or the operator's command, have announced. */
  subscribe(listener: (announcements: readonly Announcement[]) => void): void;
  /** Calls back when announcements flow again after some may have been missed. */
  onRestored(listener: () => void): void;
  /** Connects, and goes on trying; never throws. */
  start(): void;
  /** Sends what is still waiting, where it can, and lets go of the connection. */
  close(): Promise<void>;
}
