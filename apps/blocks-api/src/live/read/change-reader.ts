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
import { loadProperties } from '@waymark/domain/states';
import { logRetry } from './log-retry.js';
import type { Look, WatchedState } from '../push/watched-state.js';

/** States read by one statement. */
const BATCH = 200;
const RETRY_MS = 500;

/**
 * Shows what moved: reads every state that may have, many with one statement, one statement at a time. What becomes
 * stale meanwhile is read by the next one, so a burst of changes of one state costs few reads.
 */
@Injectable()
export class ChangeReader {
  private stale = new Set<WatchedState>();
  private isReading = false;
  private reading = Promise.resolve();
  /** Called with a state that was looked at. */
  onSettled: (state: WatchedState) => void = () => undefined;
  /** Called with a state that runs past the end of its flow: a read stops it (Z8). */
  onEnded: (state: WatchedState) => void = () => undefined;

  constructor(
    private readonly database: Database,
    private readonly catalogue: FlowCatalogue,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  request(state: WatchedState): void {
    state.isStale = true;
    this.stale.add(state);
    if (!this.isReading) this.reading = this.readAll();
  }

  /** Resolves once what was requested was looked at. */
  settle(): Promise<void> {
    return this.reading;
  }

  private async readAll(): Promise<void> {
    this.isReading = true;
    while (this.stale.size > 0) await this.read(this.take());
    this.isReading = false;
  }

  private async read(looks: readonly Look[]): Promise<void> {
    try {
      const rows = await loadChanges(this.database, looks);
      await Promise.all(rows.map((row, index) => this.tryToShow(looks[index]!, row)));
    } catch (error) {
      if (isServerLost(error)) return this.readApart(looks, error);
      for (const look of looks) this.wantAgain(look);
      logRetry(this.logger, error);
      await pause(RETRY_MS * (0.5 + Math.random()));
    }
  }

  /** What the other servers have is shown all the same (G4). */
  private async readApart(looks: readonly Look[], error: unknown): Promise<void> {
    if (looks.length === 1) return this.showLater(looks[0]!, error);
    const middle = looks.length >> 1;
    for (const half of [looks.slice(0, middle), looks.slice(middle)]) await this.read(half);
  }

  /** Those nobody watches any more are forgotten; those still without a snapshot stay stale until they have one. */
  private take(): Look[] {
    const looks: Look[] = [];
    for (const state of this.stale) {
      this.stale.delete(state);
      if (state.watches.size === 0 || state.revision === undefined) continue;
      looks.push(state.beginLook());
      if (looks.length === BATCH) break;
    }
    return looks;
  }

  private wantAgain(look: Look): void {
    look.state.giveUp(look);
    this.request(look.state);
  }

  /** A state that cannot be shown just now does not hold up others. */
  private async tryToShow(look: Look, row: ChangedState): Promise<void> {
    try {
      await this.show(look, row);
      look.state.endLook();
      this.onSettled(look.state);
    } catch (error) {
      this.showLater(look, error);
    }
  }

  private showLater(look: Look, error: unknown): void {
    logRetry(this.logger, error);
    setTimeout(() => this.wantAgain(look), RETRY_MS).unref();
  }

  /** What a snapshot may have overtaken is read again (L8). */
  private async show(look: Look, row: ChangedState): Promise<void> {
    if (row.state === null && row.revision !== null) return this.lookAtEnd(look.state);
    // The page comes to a replica of the newer release, which shows it.
    if (row.state && !isKnownState(row.state)) return;
    const { state, snapshots } = look;
    const flow = await this.findFlow(state, row.edition ?? 0);
    if (!flow) return;
    const inserted = await this.findInserted(flow, state);
    if (state.snapshots !== snapshots) return this.wantAgain(look);
    const reading = {
      ...{ flow, state: row.state ?? EMPTY_STATE, revision: row.revision ?? 0 },
      ...(inserted && { inserted }),
    };
    state.showChange(look, reading, new Set(row.touched ?? []));
    if (runsPastEnd(flow, reading.state)) this.onEnded(state);
  }

  /** A state that did not change may run into the end of its flow: open pages learn of it with the next sweep (Z8). */
  private async lookAtEnd(state: WatchedState): Promise<void> {
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
    return insertedValues(inserted, await loadProperties(this.database, userId));
  }

  /** As the state sees it: a state written after an edit of version 0 that this process has not heard of looks again. */
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
