import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { Database } from '@waymark/domain/database';
import { isServerLost } from '@waymark/domain/database/errors';
import {
  EMPTY_STATE,
  type FlowState,
  type InsertedValues,
  insertedValues,
  isKnownState,
  isRunning,
} from '@waymark/domain/engine';
import { isUnserved } from '@waymark/domain/database/errors';
import { FlowCatalogue, type ResolvedFlow } from '@waymark/domain/flows';
import { LOGGER } from '@waymark/service-kit/observability';
import type { Logger } from 'pino';
import { loadChanges, type ChangedState } from './load-changes.js';
import { PropertiesReader } from '@waymark/domain/states';
import { logRetry } from './log-retry.js';
import type { StateRead, WatchedState } from '../push/watched-state.js';

/** States read by one statement. */
const BATCH = 200;
const RETRY_MS = 500;

/**
 * Shows what moved: reads every state that may have, many with one statement, one statement at a
 * time. What becomes stale during a read is read by the next one, so a burst of changes of one
 * state costs few reads.
 */
@Injectable()
export class ChangeReader {
  private stale = new Set<WatchedState>();
  private isReading = false;
  private reading = Promise.resolve();
  /** Called with a state once it was read. */
  onSettled: (state: WatchedState) => void = () => undefined;
  /** Called with a state that runs past the end of its flow: a read stops it (Z8). */
  onEnded: (state: WatchedState) => void = () => undefined;
  private readonly properties: PropertiesReader;

  constructor(
    private readonly database: Database,
    private readonly catalogue: FlowCatalogue,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.properties = new PropertiesReader(database);
  }

  request(state: WatchedState): void {
    state.isStale = true;
    this.stale.add(state);
    if (!this.isReading) this.reading = this.readAll();
  }

  /** Resolves once what was requested was read. */
  settle(): Promise<void> {
    return this.reading;
  }

  private async readAll(): Promise<void> {
    this.isReading = true;
    while (this.stale.size > 0) await this.read(this.take());
    this.isReading = false;
  }

  private async read(reads: readonly StateRead[]): Promise<void> {
    try {
      const rows = await loadChanges(this.database, reads);
      await Promise.all(rows.map((row, index) => this.tryToShow(reads[index]!, row)));
    } catch (error) {
      if (isServerLost(error)) return this.readApart(reads, error);
      for (const read of reads) this.wantAgain(read);
      logRetry(this.logger, error);
      await pause(RETRY_MS * (0.5 + Math.random()));
    }
  }

  /** What the other servers have is shown all the same (G4). */
  private async readApart(reads: readonly StateRead[], error: unknown): Promise<void> {
    if (reads.length === 1) return this.showLater(reads[0]!, error);
    const middle = reads.length >> 1;
    for (const half of [reads.slice(0, middle), reads.slice(middle)]) await this.read(half);
  }

  /**
   * Those nobody watches any more are forgotten; those still without a snapshot stay stale until
   * they have one.
   */
  private take(): StateRead[] {
    const reads: StateRead[] = [];
    for (const state of this.stale) {
      this.stale.delete(state);
      if (state.watches.size === 0 || state.revision === undefined) continue;
      reads.push(state.beginRead());
      if (reads.length === BATCH) break;
    }
    return reads;
  }

  private wantAgain(read: StateRead): void {
    read.state.failRead(read);
    this.request(read.state);
  }

  /** A state that cannot be shown just now does not hold up others. */
  private async tryToShow(read: StateRead, row: ChangedState): Promise<void> {
    try {
      await this.show(read, row);
      read.state.endRead();
      this.onSettled(read.state);
    } catch (error) {
      this.showLater(read, error);
    }
  }

  private showLater(read: StateRead, error: unknown): void {
    logRetry(this.logger, error);
    setTimeout(() => this.wantAgain(read), RETRY_MS).unref();
  }

  /** What a snapshot may have overtaken is read again (L8). */
  private async show(read: StateRead, row: ChangedState): Promise<void> {
    if (row.state === null && row.revision !== null) return this.stopIfPastEnd(read.state);
    // The page comes to a replica of the newer release, which shows it.
    if (row.state && !isKnownState(row.state)) return;
    const { state, snapshots } = read;
    const flow = await this.findFlow(state, row.edition ?? 0);
    if (!flow) return;
    const inserted = await this.findInserted(flow, state);
    if (state.snapshots !== snapshots) return this.wantAgain(read);
    const reading = {
      ...{ flow, state: row.state ?? EMPTY_STATE, revision: row.revision ?? 0 },
      ...(inserted && { inserted }),
    };
    state.showChange(read, reading, new Set(row.touched ?? []));
    if (runsPastEnd(flow, reading.state)) this.onEnded(state);
  }

  /**
   * A state that did not change may run into the end of its flow: open pages learn of it with the
   * next sweep (Z8).
   */
  private async stopIfPastEnd(state: WatchedState): Promise<void> {
    if (!state.shown || !isRunning(state.shown.state)) return;
    const flow = await this.findFlow(state, 0);
    if (flow && runsPastEnd(flow, state.shown.state)) this.onEnded(state);
  }

  /** Texts of a push show what the user has then (Z5). */
  private async findInserted(
    { compiled: { inserted } }: ResolvedFlow,
    { userId }: WatchedState,
  ): Promise<InsertedValues | undefined> {
    if (inserted.length === 0) return undefined;
    return insertedValues(inserted, await this.properties.find(userId));
  }

  /**
   * As the state sees it: a state written after an edit of version 0 that this process has not
   * heard of looks again.
   */
  private async findFlow(
    { watched }: WatchedState,
    edition: number,
  ): Promise<ResolvedFlow | undefined> {
    try {
      const flow = await this.catalogue.getKnownFlow(watched.flow, watched.version);
      if (flow.edition >= edition) return flow;
      await this.catalogue.refresh();
      return await this.catalogue.getKnownFlow(watched.flow, watched.version);
    } catch (error) {
      if (isUnserved(error)) return undefined;
      throw error;
    }
  }
}

/** By the clock of this machine: the read that follows asks that of the database. */
const runsPastEnd = ({ compiled }: ResolvedFlow, state: FlowState): boolean =>
  compiled.end <= Date.now() && isRunning(state);
