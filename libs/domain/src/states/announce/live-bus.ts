import { type Announcement, StateChanges } from '../state/state-changes.js';
import type { AnnouncementBatcher } from './announcement-batcher.js';
import { unpackAnnouncements } from './announcement-text.js';

export type { Announcement };

/**
 * Announces to the watchers of this replica at once, and to other replicas soon, that a state
 * moved. A hint, never the truth: what is lost is found by comparing revisions, so announcing never
 * fails and never waits.
 */
export abstract class LiveBus extends StateChanges {
  protected abstract readonly batcher: AnnouncementBatcher;
  private readonly listeners: ((announcements: readonly Announcement[]) => void)[] = [];
  private readonly restored: (() => void)[] = [];

  /** Whether announcements of others arrive just now. */
  abstract get isConnected(): boolean;

  /** Connects, and goes on trying; never throws. */
  abstract start(): void;

  /** Sends what is still waiting, where it can, and lets go of the connection. */
  abstract close(): Promise<void>;

  override announce(announcement: Announcement): void {
    this.batcher.add(announcement);
    this.emit([announcement]);
  }

  /** Calls back with what this replica, others, or the operator's command have announced. */
  subscribe(listener: (announcements: readonly Announcement[]) => void): void {
    this.listeners.push(listener);
  }

  /** Calls back when announcements of others arrive again after some may have been missed. */
  onRestored(listener: () => void): void {
    this.restored.push(listener);
  }

  /** To be called with the text that another replica sent. */
  protected receive(payload: string): void {
    this.emit(unpackAnnouncements(payload));
  }

  /** To be called with what was heard on another bus, too. */
  protected emit(announcements: readonly Announcement[]): void {
    for (const listener of this.listeners) listener(announcements);
  }

  /** To be called when announcements arrive again. */
  protected restore(): void {
    for (const listener of this.restored) listener();
  }
}
