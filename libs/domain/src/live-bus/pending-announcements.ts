import type { Announcement } from './live-bus.js';

/** Announcements kept at most while the bus is away; beyond that watchers are found by comparing revisions. */
const CAPACITY = 20_000;

/** Announcements that wait to be sent. Of one state only the newest revision is worth telling. */
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
  const what = 'block' in announcement ? ` ${announcement.block}` : announcement.revision === 0 ? ' deleted' : '';
  return `${userId} ${flow} ${version}${what}`;
};

/** A deletion is revision 0 and has to be told whatever comes before or after it, so it has a place of its own. */
const isOlder = (one: Announcement, other: Announcement): boolean =>
  'revision' in one && 'revision' in other && one.revision < other.revision;
