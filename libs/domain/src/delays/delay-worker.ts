import { BackgroundWorker, type BackgroundWorkerSettings } from '../database/background-worker.js';
import type { Database } from '../database/database.js';
import { DomainError } from '../database/errors/index.js';
import { waitsUntil } from '../engine/index.js';
import type { FlowCatalogue } from '../flows/catalogue/flow-catalogue.js';
import type { CommandResult, RunCommand } from '../states/command/run-command.js';
import { CarriedOver } from '../states/command/write-in-steps.js';
import { type ClaimedDelay, DelayQueue, MOST_CLAIMED, type Settlement } from './delay-queue.js';

/**
 * `moved-on`: the state does not wait for it any more, or waits longer. `held`: the flow is
 * archived, or the user is in another version.
 */
export type DelayOutcome = 'continued' | 'moved-on' | 'held' | 'postponed';

export interface DelayWorkerSettings extends BackgroundWorkerSettings {
  /** Called with each delay that was due, for logs and metrics. */
  readonly onOutcome?: (delay: ClaimedDelay, outcome: DelayOutcome, error?: unknown) => void;
  /** While requests wait for one another, so many delays go on in each poll and no more. */
  readonly isBusy?: () => boolean;
}

/** Until a flow that is archived, or a version that its user has left, is looked at again. */
const HELD: Settlement = { seconds: 3_600 };
const AT_ONCE: Settlement = { seconds: 0 };

/**
 * Has delays that are due go on, beside the workers of all other replicas (Z4). What a dying
 * process leaves undone is taken over when its lease ends; whether a delay goes on is decided by
 * its state alone, so that it does so once.
 */
export class DelayWorker extends BackgroundWorker {
  private readonly queue: DelayQueue;

  constructor(
    database: Database,
    private readonly runner: RunCommand,
    private readonly catalogue: FlowCatalogue,
    private readonly settings: DelayWorkerSettings,
  ) {
    super(settings);
    this.queue = new DelayQueue(database);
  }

  protected override async claim(): Promise<void> {
    if (this.countRunning().size > 0) return;
    const claimed = await this.queue.claim();
    if (claimed.length === 0) return;
    // There may be more behind them.
    const mayBeMore = claimed.length === MOST_CLAIMED;
    this.begin('delays', this.goOn(claimed), () => {
      if (mayBeMore && !this.settings.isBusy?.()) this.wake();
    });
  }

  /** All of them at once, since commands on different states share statements and commits. */
  private async goOn(claimed: readonly ClaimedDelay[]): Promise<void> {
    // Another replica may know a newer `latest` already, and have carried users over to it.
    await this.catalogue.refresh();
    const settled = await Promise.all(
      claimed.map(async (delay) => [delay, await this.attempt(delay)] as const),
    );
    await this.queue.settle(
      settled.flatMap(([delay, settlement]) => (settlement ? [[delay, settlement]] : [])),
    );
  }

  /** Null for what is looked at again when its lease ends. */
  private async attempt(delay: ClaimedDelay): Promise<Settlement | null> {
    try {
      const result = await this.continue(delay);
      this.settings.onOutcome?.(delay, outcomeOf(result));
      if (!result) return HELD;
      const until = waitsUntil(result.state, delay.block);
      return until === undefined ? 'gone' : { dueAt: until };
    } catch (error) {
      if (error instanceof CarriedOver) return AT_ONCE;
      const settlement = settlementOf(error);
      this.settings.onOutcome?.(delay, settlement === HELD ? 'held' : 'postponed', error);
      return settlement;
    }
  }

  /**
   * Null where the delay is held back. Throws `CarriedOver` where that may have changed since it
   * was claimed.
   */
  private async continue(delay: ClaimedDelay): Promise<CommandResult | null> {
    const { environmentId, user, group, trace, block, version } = delay;
    const flow = await this.catalogue.getFlow(delay.flow, version);
    if (await this.isLeft(delay)) return null;
    const actor = { environmentId, user, ...(group !== null && { group }) };
    const newerStates = delay.versions.filter((other) => other > version).length;
    return this.runner.run(
      flow,
      actor,
      { kind: 'continue', block },
      { ...(trace && { trace }), ...(version > 0 && { newerStates }) },
    );
  }

  /**
   * Whether a read of `latest` finds the user in another version, which took the delay over: it
   * would go on twice.
   */
  private async isLeft({ flow, version, environmentId, versions }: ClaimedDelay): Promise<boolean> {
    if (version === 0) return false;
    const latest = (await this.latestOf(flow, environmentId)) ?? Infinity;
    const met = versions.filter((other) => other <= latest);
    return met.length > 0 && Math.max(...met) !== version;
  }

  /** Null where nothing is released yet (Z10). */
  private async latestOf(flow: string, environmentId: string): Promise<number | null> {
    try {
      return (await this.catalogue.getFlow(flow, 'latest', environmentId)).version;
    } catch (error) {
      if (error instanceof DomainError && error.code === 'flow.unreleased') return null;
      throw error;
    }
  }
}

const outcomeOf = (result: CommandResult | null): DelayOutcome => {
  if (!result) return 'held';
  return result.tookEffect ? 'continued' : 'moved-on';
};

/**
 * An archived flow is unknown, and may come back; everything else is tried again when the lease
 * ends.
 */
function settlementOf(error: unknown): Settlement | null {
  const code = error instanceof DomainError ? error.code : undefined;
  return code === 'flow.unknown' ? HELD : null;
}
