import { Injectable } from '@nestjs/common';
import type { Announcement } from '@waymark/domain/states';
import { ChangeReader } from '../read/change-reader.js';
import { SnapshotReader } from '../read/snapshot-reader.js';
import { WatchedState } from '../push/watched-state.js';
import type { SharedVersion, WatchedVersion } from '../push/watched-version.js';
import type { Watcher } from '../push/watcher.js';

/** How many states a sweep wakes before it waits until they were read. */
const SWEPT_AT_ONCE = 1_000;

/**
 * The sockets of one user and the states they watch. States at rest are left out to save memory:
 * most watched states do not exist yet, and their only watcher lists them already.
 */
interface WatchedUser {
  readonly watchers: Set<Watcher>;
  readonly awake: Map<SharedVersion, WatchedState>;
}

/** Every state that sockets of this replica watch, and who watches it. */
@Injectable()
export class WatchedStates {
  private readonly byUser = new Map<string, WatchedUser>();
  private readonly shared = new Map<string, SharedVersion>();
  private count = 0;
  private sweeps = Promise.resolve();
  private isSweepWanted = false;

  constructor(
    private readonly snapshots: SnapshotReader,
    private readonly changes: ChangeReader,
  ) {
    changes.onEnded = (state) => this.readAgain(state);
    snapshots.onSettled = changes.onSettled = (state) => this.rest(state);
  }

  get size(): number {
    return this.count;
  }

  /** Watches, or watches again, and has a snapshot sent either way (L4). */
  watch(watcher: Watcher, { flow, version }: WatchedVersion): void {
    const { userId } = watcher.viewer;
    const user = this.byUser.get(userId) ?? { watchers: new Set(), awake: new Map() };
    this.byUser.set(userId, user);
    user.watchers.add(watcher);
    const watched = this.share(flow, version);
    const state = wake(user, watched) ?? this.add(user, userId, watched);
    let watch = state.watches.get(watcher);
    if (!watch) {
      watch = { watcher, state, seen: undefined, snapshot: 'settled', isRequested: true };
      state.watches.set(watcher, watch);
      watcher.watched.push(watched);
    }
    watch.isRequested = true;
    this.snapshots.request(watch);
  }

  /** Forgets every watch of a socket that is gone. */
  unwatchAll(watcher: Watcher): void {
    const { userId } = watcher.viewer;
    const user = this.byUser.get(userId);
    for (const watched of watcher.watched as SharedVersion[]) {
      const state = user?.awake.get(watched);
      state?.watches.delete(watcher);
      if (state && state.watches.size > 0) continue;
      user?.awake.delete(watched);
      this.forget(watched);
    }
    watcher.watched.length = 0;
    user?.watchers.delete(watcher);
    if (user?.watchers.size === 0) this.byUser.delete(userId);
    this.snapshots.drop(watcher);
  }

  /**
   * Reads each announced state that has watchers on this replica (L5, L6). Revision 0 announces a
   * deleted state: the next one begins with the revisions that were shown already.
   */
  receive(announcements: readonly Announcement[]): void {
    for (const announcement of announcements) {
      const watched = this.shared.get(textOf(announcement));
      const user = this.byUser.get(announcement.userId);
      const state = user && watched && wake(user, watched);
      if (!state) continue;
      if ('block' in announcement) state.showAgain(announcement.block);
      else if (announcement.revision === 0) state.isRecreated = true;
      else if (announcement.revision === state.revision) continue;
      this.changes.request(state);
    }
  }

  /** Looks at every watched state: for announcements that may have been lost. */
  sweep(): void {
    if (this.isSweepWanted) return;
    this.isSweepWanted = true;
    this.sweeps = this.sweeps.then(() => {
      this.isSweepWanted = false;
      return this.sweepAll();
    });
  }

  /** A copy, for those who wait between the elements. */
  versions(): SharedVersion[] {
    return [...this.shared.values()];
  }

  /** The states of a version that are watched. */
  of(watched: SharedVersion): WatchedState[] {
    return [...this.byUser.values()].flatMap((user) => wake(user, watched) ?? []);
  }

  /** Those of them that are more than what all users without a state see. */
  awakeOf(watched: SharedVersion): WatchedState[] {
    return [...this.byUser.values()].flatMap(({ awake }) => awake.get(watched) ?? []);
  }

  /** Some at a time, since those at rest take memory while they are awake. */
  private async sweepAll(): Promise<void> {
    let awake = 0;
    for (const user of [...this.byUser.values()]) {
      const all = [...user.watchers].flatMap(({ watched }) => watched as SharedVersion[]);
      for (const watched of new Set(all)) {
        const state = wake(user, watched);
        if (state) this.changes.request(state);
        if (++awake % SWEPT_AT_ONCE === 0) await this.changes.settle();
      }
    }
  }

  /** One snapshot is enough: what its read changes is pushed to all. */
  private readAgain({ watches }: WatchedState): void {
    const [watch] = watches.values();
    if (!watch) return;
    watch.isRequested = false;
    this.snapshots.request(watch);
  }

  private rest(state: WatchedState): void {
    const awake = this.byUser.get(state.userId)?.awake;
    if (awake?.get(state.watched) === state && state.restsWith()) awake.delete(state.watched);
  }

  private add(user: WatchedUser, userId: string, watched: SharedVersion): WatchedState {
    const state = new WatchedState(userId, watched);
    user.awake.set(watched, state);
    this.shared.set(textOf(watched), watched);
    watched.states++;
    this.count++;
    return state;
  }

  private forget(watched: SharedVersion): void {
    this.count--;
    if (--watched.states === 0) this.shared.delete(textOf(watched));
  }

  private share(flow: string, version: number): SharedVersion {
    return (
      this.shared.get(textOf({ flow, version })) ?? {
        flow,
        version,
        atRest: undefined,
        isArchived: false,
        states: 0,
      }
    );
  }
}

/** The state of a user in a version, where one of their sockets watches it. */
function wake({ watchers, awake }: WatchedUser, watched: SharedVersion): WatchedState | undefined {
  const state = awake.get(watched);
  if (state) return state;
  for (const watcher of watchers) {
    if (!watcher.watched.includes(watched)) continue;
    const woken = WatchedState.awake(watcher.viewer.userId, watched, watcher);
    awake.set(watched, woken);
    return woken;
  }
  return undefined;
}

const textOf = ({ flow, version }: WatchedVersion): string => `${flow}@${version}`;
