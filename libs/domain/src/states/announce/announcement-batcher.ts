import type { Announcement } from '../state/state-changes.js';
import { packAnnouncements } from './announcement-text.js';

/**
 * Announcements kept at most while the bus is away; beyond that watchers are found by comparing
 * revisions.
 */
const CAPACITY = 20_000;

/** Announcements that wait to be sent. Of one state only the newest revision is kept. */
export class PendingAnnouncements {
  private waiting = new Map<string, Announcement>();

  get isEmpty(): boolean {
    return this.waiting.size === 0;
  }

  add(announcement: Announcement): void {
    const key = keyOf(announcement);
    const before = this.waiting.get(key);
    if (before && isOlder(announcement, before)) return;
    if (before || this.waiting.size < CAPACITY) this.waiting.set(key, announcement);
  }

  /** Everything that waits; nothing is pending afterwards. */
  take(): Announcement[] {
    const taken = [...this.waiting.values()];
    this.waiting = new Map();
    return taken;
  }
}

const keyOf = (announcement: Announcement): string => {
  const { userId, flow, version } = announcement;
  const what =
    'block' in announcement
      ? ` ${announcement.block}`
      : announcement.revision === 0
        ? ' deleted'
        : '';
  return `${userId} ${flow} ${version}${what}`;
};

/** Deletions (revision 0) are never merged with other announcements: their key is another one. */
const isOlder = (one: Announcement, other: Announcement): boolean =>
  'revision' in one && 'revision' in other && one.revision < other.revision;

/** How long announcements gather before they are sent together. */
const GATHER_MS = 3;

/** Sends announcements together, one sending at a time; what could not be sent waits for `wake`. */
export class AnnouncementBatcher {
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
