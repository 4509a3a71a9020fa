import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { EMPTY_STATE } from '@waymark/domain/engine';
import { DomainError, isUnknown } from '@waymark/domain/errors';
import { RunCommand } from '@waymark/domain/flow-states';
import { FlowCatalogue } from '@waymark/domain/flows';
import { LOGGER } from '@waymark/service-kit/logging';
import { Metrics } from '@waymark/service-kit/metrics';
import { RateLimits } from '@waymark/service-kit/overload';
import type { Logger } from 'pino';
import { ChangeReader } from './change-reader.js';
import { logRetry } from './log-retry.js';
import type { Reading } from '../push/reading.js';
import type { Watch } from '../push/watched-state.js';

/** Snapshots read at once: a deploy brings thousands of watches, and requests need the connections too. */
const READERS = 6;
const RETRY_MS = 500;
/** How long a snapshot waits for a client to read the last one. */
const BEHIND_MS = 200;

/**
 * Sends a snapshot for every watch, by a read that begins after it: what was committed before the watch is in it, what
 * is committed later is pushed (L4). Watches that come while one waits to be read share it. Each that a client asked for
 * counts like a request over HTTP, and by its size like the answer (R13).
 */
@Injectable()
export class SnapshotReader {
  private readonly waiting: Watch[] = [];
  private readers = 0;

  constructor(
    private readonly catalogue: FlowCatalogue,
    private readonly runCommand: RunCommand,
    private readonly changes: ChangeReader,
    private readonly rates: RateLimits,
    private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  request(watch: Watch): void {
    if (watch.snapshot === 'reading') watch.snapshot = 'reading, wanted again';
    if (watch.snapshot !== 'settled') return;
    watch.snapshot = 'waiting';
    this.waiting.push(watch);
    this.read();
  }

  /** A client that has not read the last snapshot yet gets the next one later: all at once would be too much to wait. */
  private postpone(watch: Watch): void {
    const again = (): void => {
      this.waiting.push(watch);
      this.read();
    };
    setTimeout(again, BEHIND_MS).unref();
  }

  private read(): void {
    if (this.readers < READERS) void this.readAll();
  }

  private async readAll(): Promise<void> {
    this.readers++;
    for (let watch = this.waiting.shift(); watch; watch = this.waiting.shift()) {
      if (!isStillWatched(watch)) continue;
      if (watch.watcher.isBehind) {
        this.postpone(watch);
        continue;
      }
      if (!this.mayHave(watch)) {
        this.metrics.countLimited();
        watch.watcher.cutOff();
        continue;
      }
      const isShown = await this.show(watch);
      const isWantedAgain = !isShown || watch.snapshot === 'reading, wanted again';
      watch.snapshot = 'settled';
      if (isWantedAgain && isStillWatched(watch)) this.request(watch);
    }
    this.readers--;
  }

  private mayHave({ isAsked, watcher: { viewer } }: Watch): boolean {
    return !isAsked || this.rates.take(viewer.address, viewer.caller);
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
      if (isUnknown(error)) {
        watch.watcher.sendError(error.message);
        return true;
      }
      logRetry(this.logger, error);
      await pause(RETRY_MS * (0.5 + Math.random()));
      return false;
    }
  }

  private charge({ isAsked, watcher: { viewer } }: Watch, bytes: number): void {
    if (isAsked) this.rates.chargeAnswer(bytes, viewer.address, viewer.caller);
  }

  /** As a read of a block does: migrates, never starts (S28). A user not yet identified has the empty state (L3). */
  private async readState({ watcher, state }: Watch): Promise<Reading> {
    const flow = await this.catalogue.getKnownFlow(state.watched.flow, state.watched.version);
    try {
      return await this.runCommand.run(flow, watcher.viewer.actor, { kind: 'read', starts: false });
    } catch (error) {
      if (error instanceof DomainError && error.code === 'user.unknown') return { flow, state: EMPTY_STATE, revision: 0 };
      throw error;
    }
  }
}

const isStillWatched = (watch: Watch): boolean => watch.state.watches.get(watch.watcher) === watch;
