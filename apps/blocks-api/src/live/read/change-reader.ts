import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { Database, isServerLost } from '@waymark/domain/database';
import { EMPTY_STATE } from '@waymark/domain/engine';
import { isUnknown } from '@waymark/domain/errors';
import { FlowCatalogue, type ResolvedFlow } from '@waymark/domain/flows';
import { LOGGER } from '@waymark/service-kit/logging';
import type { Logger } from 'pino';
import { loadChanges, type ChangedState } from './load-changes.js';
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

  constructor(
    private readonly database: Database,
    private readonly catalogue: FlowCatalogue,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  request(state: WatchedState): void {
    state.isStale = true;
    this.stale.add(state);
    if (!this.isReading) void this.readAll();
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
    if (row.state === null && row.revision !== null) return;
    const { state, snapshots } = look;
    const flow = await this.findFlow(state, row.edition ?? 0);
    if (!flow) return;
    if (state.snapshots !== snapshots) return this.wantAgain(look);
    const reading = { flow, state: row.state ?? EMPTY_STATE, revision: row.revision ?? 0 };
    state.showChange(look, reading, new Set(row.touched ?? []));
  }

  /** As the state sees it: a state written after an edit of version 0 that this process has not heard of looks again. */
  private async findFlow({ watched }: WatchedState, edition: number): Promise<ResolvedFlow | undefined> {
    try {
      const flow = await this.catalogue.getKnownFlow(watched.flow, watched.version);
      if (flow.edition >= edition) return flow;
      await this.catalogue.refresh();
      return await this.catalogue.getKnownFlow(watched.flow, watched.version);
    } catch (error) {
      if (isUnknown(error)) return undefined;
      throw error;
    }
  }
}
