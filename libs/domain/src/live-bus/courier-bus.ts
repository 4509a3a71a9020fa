import { unpackAnnouncements } from './announcement-text.js';
import type { Courier } from './courier.js';
import type { Announcement, LiveBus } from './live-bus.js';

/** What every bus of its own connection has: a courier for what goes out, listeners for what comes in. */
export abstract class CourierBus implements LiveBus {
  protected abstract readonly courier: Courier;
  private readonly listeners: ((announcements: readonly Announcement[]) => void)[] = [];
  private readonly restored: (() => void)[] = [];

  abstract get isConnected(): boolean;
  abstract start(): void;
  abstract close(): Promise<void>;

  announce(announcement: Announcement): void {
    this.courier.add(announcement);
  }

  subscribe(listener: (announcements: readonly Announcement[]) => void): void {
    this.listeners.push(listener);
  }

  onRestored(listener: () => void): void {
    this.restored.push(listener);
  }

  /** To be called with the text that another replica sent. */
  protected receive(payload: string): void {
    const announcements = unpackAnnouncements(payload);
    for (const listener of this.listeners) listener(announcements);
  }

  /** To be called when announcements arrive again. */
  protected restore(): void {
    for (const listener of this.restored) listener();
  }
}
