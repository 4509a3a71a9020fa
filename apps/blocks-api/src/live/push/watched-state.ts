import { EMPTY_STATE } from '@waymark/domain/engine';
import { pushOf, snapshotOf, type Reading, type Touched } from './push.js';
import type { SharedVersion } from './watched-version.js';
import type { Watcher } from './watcher.js';

const NOTHING: ReadonlySet<string> = new Set();

/**
 * The subscription of one socket to one state; `seen` is the revision it was shown last, or none
 * yet.
 */
export interface Watch {
  readonly watcher: Watcher;
  readonly state: WatchedState;
  seen: number | undefined;
  snapshot: 'settled' | 'waiting' | 'reading' | 'reading, wanted again';
  /**
   * Whether the client requested the next snapshot, so that it counts against its rate limit; else
   * a change here did.
   */
  isRequested: boolean;
}

/** What one read of a state is for; while it runs, more may be requested. */
export interface StateRead {
  readonly state: WatchedState;
  readonly revision: number | undefined;
  readonly isRecreated: boolean;
  readonly resend: ReadonlySet<string>;
  readonly snapshots: number;
}

/**
 * One user's state of one version of a flow, with the sockets that watch it on this replica.
 * Readings are shown one after the other, so that no watcher ever sees an older one after a newer
 * one (L8).
 */
export class WatchedState {
  readonly watches = new Map<Watcher, Watch>();
  private resend: Set<string> | undefined;
  /** Something changed since the last read. */
  isStale = false;
  /** A read of it is under way. */
  private isBeingRead = false;
  /**
   * Counts snapshots: a change that was read while one was shown may be older than it, whatever its
   * revision says.
   */
  snapshots = 0;
  /**
   * The state was deleted, and perhaps created again: what is there has to be shown, whatever its
   * revision.
   */
  isRecreated = false;
  /** What was shown last. */
  shown: Reading | undefined;
  /**
   * The revision at which no block was found that is done by itself; undefined before the first
   * check (Z1).
   */
  checkedRevision: number | undefined;

  constructor(
    readonly userId: string,
    readonly watched: SharedVersion,
  ) {}

  /** As it was when `restsWith` gave this watcher. */
  static awake(userId: string, watched: SharedVersion, watcher: Watcher): WatchedState {
    const state = new WatchedState(userId, watched);
    state.shown = watched.atRest;
    state.watches.set(watcher, {
      watcher,
      state,
      seen: 0,
      snapshot: 'settled',
      isRequested: false,
    });
    return state;
  }

  /**
   * The one watcher that was shown all there is to see of a state that nobody has yet, and nothing
   * is under way: then that watcher is all that has to be kept. Version 0 may be edited under it.
   */
  restsWith(): Watcher | undefined {
    const [watch, another] = this.watches.values();
    if (!watch || another || watch.snapshot !== 'settled' || watch.seen !== 0) return undefined;
    if (this.isStale || this.isRecreated || this.isBeingRead || this.resend) return undefined;
    if (this.watched.version === 0 || this.shown?.revision !== 0) return undefined;
    // Of all users: nothing of one of them may stay in it.
    const { flow, revision } = this.shown;
    this.watched.atRest ??= { flow, revision, state: EMPTY_STATE };
    return watch.watcher;
  }

  /** To be shown again as it is, to clients that showed it otherwise already (L6). */
  showAgain(block: string): void {
    (this.resend ??= new Set()).add(block);
  }

  /** The revision that watchers were shown last; undefined before the first snapshot. */
  get revision(): number | undefined {
    return this.shown?.revision;
  }

  /**
   * Shows what was read for this watch, or a newer state known here: everything, `blocks` before
   * `flow` (L4). Returns how many bytes.
   */
  showSnapshot(watch: Watch, reading: Reading): number {
    const isNewer = !this.shown || this.shown.revision < reading.revision;
    const isSeen = this.isSeenByOthers(watch);
    if (isNewer && !isSeen) this.shown = reading;
    else if (this.shown?.revision !== reading.revision) this.isStale = true;
    this.snapshots++;
    // The others may name another group.
    if (!reading.tookEffect && !isSeen) this.checkedRevision = reading.revision;
    const newest =
      !this.isRecreated && this.shown && this.shown.revision > reading.revision
        ? this.shown
        : reading;
    watch.seen = newest.revision;
    return watch.watcher.sendSnapshot(snapshotOf(newest));
  }

  /** Ends with `endRead`, or with `failRead`. */
  beginRead(): StateRead {
    const { revision, isRecreated, resend = NOTHING, snapshots } = this;
    this.isStale = false;
    this.isRecreated = false;
    this.isBeingRead = true;
    this.resend = undefined;
    return { state: this, revision, isRecreated, resend, snapshots };
  }

  /** The read failed: what it was for is still wanted. */
  failRead({ isRecreated, resend }: StateRead): void {
    this.isRecreated ||= isRecreated;
    for (const uid of resend) this.showAgain(uid);
  }

  /** What was read was shown, or there was nothing to show. */
  endRead(): void {
    this.isBeingRead = false;
  }

  /**
   * Shows a change to everybody who was not shown it yet, and blocks to resend to everybody (L5,
   * L6).
   */
  showChange({ isRecreated, resend }: StateRead, reading: Reading, touched: Touched): void {
    const before = this.shown;
    if (!before) return;
    this.shown = reading;
    const isChanged = isRecreated || before.revision !== reading.revision;
    if (!isChanged && resend.size === 0) return;
    const push = pushOf(before, reading, new Set([...touched, ...resend]));
    for (const watch of this.watches.values()) {
      const isNews = isRecreated || (isChanged && watch.seen !== reading.revision);
      if (watch.seen === undefined || !(isNews || resend.size > 0)) continue;
      watch.seen = reading.revision;
      watch.watcher.sendPush(push);
    }
  }

  private isSeenByOthers(except: Watch): boolean {
    for (const watch of this.watches.values())
      if (watch !== except && watch.seen !== undefined) return true;
    return false;
  }
}
