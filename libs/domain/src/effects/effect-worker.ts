import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../database/database.js';
import type { RunCommand } from '../flow-states/run-command.js';
import type { FlowCatalogue } from '../flows/flow-catalogue.js';
import { type ClaimedEffect, HopelessEffect } from './claimed-effect.js';
import { EffectQueue } from './effect-queue.js';
import { retryPause } from './retry-schedule.js';
import { runTrigger, type Trigger } from './run-trigger.js';
import { sendWebhook, type WebhookSettings } from './send-webhook.js';
import type { Webhook } from './webhook-request.js';

export type EffectOutcome = 'done' | 'withheld' | 'postponed' | 'failed';

export interface EffectWorkerSettings {
  readonly webhooks: WebhookSettings;
  /** Effects carried out at the same time. */
  readonly concurrency: number;
  /** How often the database is asked when nothing tells that there is something to do. */
  readonly pollMs: number;
  /** Told of every attempt, for logs and metrics. */
  readonly onOutcome?: (effect: ClaimedEffect, outcome: EffectOutcome, error?: Error) => void;
}

/** Time between a command with effects and the look for them, in which more may come. */
const GATHER_MS = 10;

/**
 * Carries out what waits in the outbox, beside the workers of all other replicas. What a dying process leaves undone is
 * taken over when its lease ends: at least once, never lost (S19).
 */
export class EffectWorker {
  private readonly queue: EffectQueue;
  private readonly running = new Set<Promise<void>>();
  private readonly stopping = new AbortController();
  private working: Promise<void> | undefined;
  private closed = false;
  private wanted = false;
  private interrupt: () => void = () => undefined;

  constructor(
    database: Database,
    private readonly runner: RunCommand,
    private readonly catalogue: FlowCatalogue,
    private readonly settings: EffectWorkerSettings,
  ) {
    this.queue = new EffectQueue(database);
    runner.onEffects(() => this.wake());
  }

  start(): void {
    this.working ??= this.work();
  }

  /** Looks soon, since there is something to do. */
  wake(): void {
    this.wanted = true;
    this.interrupt();
  }

  /** Begins nothing more, waits for what runs at most `graceMs`, then lets go of it: another worker takes it over. */
  async stop(graceMs = 4_000): Promise<void> {
    this.closed = true;
    this.interrupt();
    const aborting = setTimeout(() => this.stopping.abort(), graceMs).unref();
    await this.working;
    await Promise.all(this.running);
    clearTimeout(aborting);
  }

  private async work(): Promise<void> {
    while (!this.closed) {
      this.wanted = false;
      if (this.running.size < this.settings.concurrency) await this.claim().catch(() => undefined);
      if (!this.wanted) await this.rest();
      if (!this.closed) await pause(GATHER_MS);
    }
  }

  private rest(): Promise<void> {
    if (this.closed) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.settings.pollMs).unref();
      this.interrupt = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private async claim(): Promise<void> {
    for (const effect of await this.queue.claim(this.settings.concurrency - this.running.size)) {
      const work: Promise<void> = this.carryOut(effect)
        // The database is away: the lease ends by itself and the effect is carried out again.
        .catch(() => undefined)
        .finally(() => {
          this.running.delete(work);
          this.wake();
        });
      this.running.add(work);
    }
  }

  private async carryOut(claimed: ClaimedEffect): Promise<void> {
    let outcome: EffectOutcome;
    try {
      outcome = await this.perform(claimed);
    } catch (error) {
      return this.giveBack(claimed, error as Error);
    }
    await this.queue.finish(claimed);
    this.settings.onOutcome?.(claimed, outcome);
  }

  private async perform(claimed: ClaimedEffect): Promise<EffectOutcome> {
    if (isTrigger(claimed)) await runTrigger(claimed, this.runner, this.catalogue);
    else if (claimed.version === 0 && !this.settings.webhooks.sendUncommitted) return 'withheld';
    else await sendWebhook(claimed as ClaimedEffect<Webhook>, this.settings.webhooks, this.stopping.signal);
    return 'done';
  }

  private async giveBack(claimed: ClaimedEffect, error: Error): Promise<void> {
    const pause = this.stopping.signal.aborted ? 0 : retryPause(claimed.attempts);
    const isOver = error instanceof HopelessEffect || pause === undefined;
    if (isOver) await this.queue.fail(claimed, error.message);
    else await this.queue.postpone(claimed, error.message, pause);
    this.settings.onOutcome?.(claimed, isOver ? 'failed' : 'postponed', error);
  }
}

function isTrigger(claimed: ClaimedEffect): claimed is ClaimedEffect<Trigger> {
  return claimed.effect.kind === 'flow-trigger';
}
