import type { RunCommand } from '../../flow-states/command/run-command.js';
import type { FlowCatalogue } from '../../flows/catalogue/flow-catalogue.js';
import type { ClaimedEffect } from '../queue/claimed-effect.js';
import { HopelessEffect } from './effect-failure.js';
import type { EffectQueue } from '../queue/effect-queue.js';
import { retryPause } from './retry-schedule.js';
import { runTrigger, type Trigger } from './run-trigger.js';
import { sendWebhook, type WebhookSettings } from './send-webhook.js';
import type { Webhook } from './webhook-request.js';

export type EffectOutcome = 'done' | 'withheld' | 'postponed' | 'failed' | 'released';

export interface CarrierSettings {
  readonly webhooks: WebhookSettings;
  /** Called with every attempt, for logs and metrics. */
  readonly onOutcome?: (effect: ClaimedEffect, outcome: EffectOutcome, error?: Error) => void;
}

/** Carries out one claimed effect after the other and tells the queue what came of it. */
export class EffectCarrier {
  constructor(
    private readonly queue: EffectQueue,
    private readonly runner: RunCommand,
    private readonly catalogue: FlowCatalogue,
    private readonly settings: CarrierSettings,
    /** Aborts what is still under way then. */
    private readonly end: AbortSignal,
  ) {}

  /** Throws when what came of it cannot be told to the database: the lease ends by itself, and it is carried out again. */
  async carryOut(claimed: ClaimedEffect): Promise<void> {
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
    else await sendWebhook(claimed as ClaimedEffect<Webhook>, this.settings.webhooks, this.end);
    return 'done';
  }

  private async giveBack(claimed: ClaimedEffect, error: Error): Promise<void> {
    if (this.end.aborted && error.name === 'AbortError') return this.release(claimed);
    const pause = retryPause(claimed.attempts);
    const isOver = error instanceof HopelessEffect || pause === undefined;
    if (isOver) await this.queue.fail(claimed, error.message);
    else await this.queue.postpone(claimed, error.message, pause);
    this.settings.onOutcome?.(claimed, isOver ? 'failed' : 'postponed', error);
  }

  /** It did not fail: this process ends. */
  private async release(claimed: ClaimedEffect): Promise<void> {
    await this.queue.release(claimed);
    this.settings.onOutcome?.(claimed, 'released');
  }
}

function isTrigger(claimed: ClaimedEffect): claimed is ClaimedEffect<Trigger> {
  return claimed.effect.kind === 'flow-trigger';
}
