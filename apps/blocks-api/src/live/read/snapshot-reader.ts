import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { EMPTY_STATE } from '@waymark/domain/engine';
import { DomainError, isUnserved } from '@waymark/domain/database/errors';
import { RunCommand } from '@waymark/domain/states';
import { FlowCatalogue } from '@waymark/domain/flows';
import { RateLimiter } from '@waymark/service-kit/limits';
import { LOGGER } from '@waymark/service-kit/observability';
import type { Logger } from 'pino';
import { ChangeReader } from './change-reader.js';
import { logRetry } from './log-retry.js';
import type { Reading } from '../push/push.js';
import type { Watch, WatchedState } from '../push/watched-state.js';
import type { Watcher } from '../push/watcher.js';
import { SnapshotQueue } from './snapshot-queue.js';

/**
 * Snapshots read at once: a deploy brings thousands of watches, and requests need the connections
 * too.
 */
const READERS = 6;
const RETRY_MS = 500;
/** How long a snapshot waits for a client to read the last one. */
const BEHIND_MS = 200;

/**
 * Sends a snapshot for every watch, by a read that begins after it: what was committed before the
 * watch is in it, what is committed later is pushed (L4). Watches that come while one waits to be
 * read share it. Each that a client asked for counts like a request over HTTP, and by its size like
 * the answer; a client that requests too many is cut off (R13).
 */
@Injectable()
export class SnapshotReader {
  private readonly waiting = new SnapshotQueue();
  private readers = 0;
  /** Called with a state of which a snapshot was shown. */
  onSettled: (state: WatchedState) => void = () => undefined;

  constructor(
    private readonly catalogue: FlowCatalogue,
    private readonly runCommand: RunCommand,
    private readonly changes: ChangeReader,
    private readonly limiter: RateLimiter,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  request(watch: Watch): void {
    if (watch.snapshot === 'reading') watch.snapshot = 'reading, wanted again';
    if (watch.snapshot !== 'settled') return;
    const { watcher, isRequested } = watch;
    const { address, caller } = watcher.viewer;
    if (isRequested && !this.limiter.take(address, caller)) return watcher.cutOff();
    this.enqueue(watch);
  }

  /** Drops what waits for a socket that has left. */
  drop(watcher: Watcher): void {
    this.waiting.drop(watcher);
  }

  private enqueue(watch: Watch): void {
    watch.snapshot = 'waiting';
    if (!this.waiting.add(watch)) return watch.watcher.cutOff();
    if (this.readers < READERS) void this.readAll();
  }

  private async readAll(): Promise<void> {
    this.readers++;
    for (let watch = this.waiting.take(); watch; watch = this.waiting.take())
      await this.read(watch);
    this.readers--;
  }

  private async read(watch: Watch): Promise<void> {
    // The next one waits for a client that has not read the last: all of them at once would take
    // too much memory.
    if (watch.watcher.isBehind) return this.postpone(watch);
    const isShown = await this.show(watch);
    const isWantedAgain = watch.snapshot === 'reading, wanted again';
    watch.snapshot = 'settled';
    if (!isStillWatched(watch)) return;
    if (!isShown) this.enqueue(watch);
    else if (isWantedAgain) this.request(watch);
    else this.onSettled(watch.state);
  }

  private postpone(watch: Watch): void {
    const again = (): void => void (isStillWatched(watch) && this.enqueue(watch));
    setTimeout(again, BEHIND_MS).unref();
  }

  private async show(watch: Watch): Promise<boolean> {
    watch.snapshot = 'reading';
    try {
      const reading = await this.readState(watch);
      if (!isStillWatched(watch)) return true;
      this.charge(watch, watch.state.showSnapshot(watch, reading));
      if (watch.state.isStale) this.changes.request(watch.state);
      return true;
    } catch (error) {
      if (isUnserved(error)) {
        watch.watcher.sendError(error.message);
        return true;
      }
      logRetry(this.logger, error);
      await pause(RETRY_MS * (0.5 + Math.random()));
      return false;
    }
  }

  private charge({ isRequested, watcher: { viewer } }: Watch, bytes: number): void {
    if (isRequested) this.limiter.chargeAnswer(bytes, viewer.address, viewer.caller);
  }

  /**
   * As a read of a block does: migrates, never starts (S28). A user not yet identified has the
   * empty state (L3).
   */
  private async readState({ watcher, state }: Watch): Promise<Reading> {
    const flow = await this.catalogue.getKnownFlow(state.watched.flow, state.watched.version);
    try {
      return await this.runCommand.run(flow, watcher.viewer.actor, { kind: 'read', starts: false });
    } catch (error) {
      if (error instanceof DomainError && error.code === 'user.unknown')
        return { flow, state: EMPTY_STATE, revision: 0 };
      throw error;
    }
  }
}

const isStillWatched = (watch: Watch): boolean => watch.state.watches.get(watch.watcher) === watch;
