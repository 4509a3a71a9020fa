import { BackgroundWorker, type BackgroundWorkerSettings } from '../database/background-worker.js';
import type { Database } from '../database/database.js';
import { DomainError } from '../database/errors/index.js';
import { waitsUntil } from '../engine/index.js';
import type { FlowCatalogue } from '../flows/catalogue/flow-catalogue.js';
import type { ResolvedFlow } from '../flows/catalogue/resolved-flow.js';
import type { CommandResult, RunCommand } from '../states/command/run-command.js';
import { type ClaimedDelay, DelayQueue, MOST_CLAIMED, type Settlement } from './delay-queue.js';
import { FIND_STATE } from './delay-statements.js';

/** `moved-on`: the state does not wait for it any more, or waits longer. `held`: the flow is archived, or the user is in another version. */
export type DelayOutcome = 'continued' | 'moved-on' | 'held' | 'postponed';

export interface DelayWorkerSettings extends BackgroundWorkerSettings {
  /** Called with each delay that was due, for logs and metrics. */
  readonly onOutcome?: (delay: ClaimedDelay, outcome: DelayOutcome, error?: unknown) => void;
  /** While requests wait for one another, delays wait too. */
  readonly isBusy?: () => boolean;
}

/** Until a flow that is archived, or a version that its user has left, is looked at again. */
const HELD: Settlement = { seconds: 3_600 };

/**
 * Has delays that are due go on, beside the workers of all other replicas (Z4). What a dying process leaves undone is taken
 * over when its lease ends; whether a delay goes on is decided by its state alone, so that it does so once.
 */
export class DelayWorker extends BackgroundWorker {
  private readonly queue: DelayQueue;

  constructor(
    private readonly database: Database,
    private readonly runner: RunCommand,
    private readonly catalogue: FlowCatalogue,
    private readonly settings: DelayWorkerSettings,
  ) {
    super(settings);
    this.queue = new DelayQueue(database);
  }

  protected override async claim(): Promise<void> {
    if (this.countRunning().size > 0 || this.settings.isBusy?.()) return;
    const claimed = await this.queue.claim();
    if (claimed.length === 0) return;
    // There may be more behind them.
    this.begin('delays', this.goOn(claimed), () => claimed.length === MOST_CLAIMED && this.wake());
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
      const settlement = settlementOf(error);
      this.settings.onOutcome?.(delay, settlement === HELD ? 'held' : 'postponed', error);
      return settlement;
    }
  }

  /** Null where the delay is held back. */
  private async continue(delay: ClaimedDelay): Promise<CommandResult | null> {
    const { environmentId, user, group, trace, block } = delay;
    const flow = await this.catalogue.getFlow(delay.flow, delay.version);
    if (await this.isLeft(flow, delay)) return null;
    const actor = { environmentId, user, ...(group !== null && { group }) };
    const asked = { kind: 'continue', block } as const;
    return this.runner.run(flow, actor, asked, { ...(trace && { trace }) });
  }

  /** Whether the user has met the version that `latest` is, which took the delay over: it would go on twice. */
  private async isLeft(
    { flow, version }: ResolvedFlow,
    { userId, environmentId }: ClaimedDelay,
  ): Promise<boolean> {
    if (version === 0) return false;
    const latest = await this.latestOf(flow, environmentId);
    if (latest === null || latest === version) return false;
    const found = await this.database.run(FIND_STATE, [userId, flow, latest]);
    return found.length > 0;
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

/** An archived flow is unknown, and may come back; everything else is tried again when the lease ends. */
function settlementOf(error: unknown): Settlement | null {
  const code = error instanceof DomainError ? error.code : undefined;
  return code === 'flow.unknown' ? HELD : null;
}
