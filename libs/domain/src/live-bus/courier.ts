import { packAnnouncements } from './announcement-text.js';
import type { Announcement } from './live-bus.js';
import { PendingAnnouncements } from './pending-announcements.js';

/** How long announcements gather before they are sent together. */
const GATHER_MS = 3;

/** Sends announcements together, one sending at a time; what could not be sent waits for `wake`. */
export class Courier {
  private readonly pending = new PendingAnnouncements();
  private gathering: NodeJS.Timeout | undefined;
  private sending: Promise<void> | undefined;

  constructor(
    private readonly send: (payloads: string[]) => Promise<unknown>,
    /** Asked before each sending. */
    private readonly isReady: () => boolean,
    private readonly onTrouble: (error: Error) => void,
  ) {}

  add(announcement: Announcement): void {
    this.pending.add(announcement);
    this.wake();
  }

  /** To be called when sending has become possible again. */
  wake(): void {
    if (this.gathering || this.sending || this.pending.isEmpty || !this.isReady()) return;
    this.gathering = setTimeout(() => {
      this.gathering = undefined;
      this.sending = this.sendAll().finally(() => {
        this.sending = undefined;
        this.wake();
      });
    }, GATHER_MS);
  }

  /** Sends what still waits, if it can. */
  async close(): Promise<void> {
    clearTimeout(this.gathering);
    await this.sending;
    clearTimeout(this.gathering);
    if (this.isReady()) await this.sendAll();
  }

  private async sendAll(): Promise<void> {
    const announcements = this.pending.take();
    if (announcements.length === 0) return;
    try {
      await this.send(packAnnouncements(announcements));
    } catch (error) {
      for (const announcement of announcements) this.pending.add(announcement);
      this.onTrouble(error as Error);
    }
  }
}
