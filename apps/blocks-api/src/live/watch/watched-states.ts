import { Injectable } from '@nestjs/common';
import type { Announcement } from '@waymark/domain/live-bus';
import { ChangeReader } from '../read/change-reader.js';
import { SnapshotReader } from '../read/snapshot-reader.js';
import { WatchedState } from '../push/watched-state.js';
import type { WatchedVersion } from '../push/watched-version.js';
import type { Watcher } from '../push/watcher.js';

/** Every state that sockets of this replica watch, and who watches it. */
@Injectable()
export class WatchedStates {
  private readonly states = new Map<string, WatchedState>();

  constructor(
    private readonly snapshots: SnapshotReader,
    private readonly changes: ChangeReader,
  ) {}

  get size(): number {
    return this.states.size;
  }

  /** Watches, or watches again, and has a snapshot sent either way (L4). */
  watch(watcher: Watcher, watched: WatchedVersion): void {
    const { userId } = watcher.viewer;
    const key = stateKey(userId, watched);
    const state = this.states.get(key) ?? new WatchedState(key, userId, watched);
    let watch = state.watches.get(watcher);
    if (!watch) {
      this.states.set(key, state);
      watch = { watcher, state, seen: undefined, snapshot: 'settled', isAsked: true };
      state.watches.set(watcher, watch);
      watcher.watched.set(key, watched);
    }
    watch.isAsked = true;
    this.snapshots.request(watch);
  }

  /** Forgets every watch of a socket that is gone. */
  unwatchAll(watcher: Watcher): void {
    for (const key of watcher.watched.keys()) {
      const state = this.states.get(key);
      state?.watches.delete(watcher);
      if (state?.watches.size === 0) this.states.delete(key);
    }
    watcher.watched.clear();
  }

  /**
   * Looks at what announcements name, where somebody watches it here (L5, L6). Revision 0
   * tells of a state that was deleted: the next one begins with the revisions that were shown already.
   */
  receive(announcements: readonly Announcement[]): void {
    for (const announcement of announcements) {
      const state = this.states.get(stateKey(announcement.userId, announcement));
      if (!state) continue;
      if ('block' in announcement) state.resend.add(announcement.block);
      else if (announcement.revision === 0) state.isRemade = true;
      else if (announcement.revision === state.revision) continue;
      this.changes.request(state);
    }
  }

  /** Looks at every watched state: for announcements that may have been lost. */
  sweep(): void {
    for (const state of this.states.values()) this.changes.request(state);
  }

  /** A copy, for those who wait between the elements. */
  list(): WatchedState[] {
    return [...this.states.values()];
  }
}

export const stateKey = (userId: string, { flow, version }: WatchedVersion): string => `${userId} ${flow}@${version}`;
