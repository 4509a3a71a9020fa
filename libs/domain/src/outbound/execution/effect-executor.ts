import type { RunCommand } from '../../states/command/run-command.js';
import type { FlowCatalogue } from '../../flows/catalogue/flow-catalogue.js';
import { pauseAfterAttempt, type SilentReceivers } from '../sending/back-off.js';
import { FinalFailure } from '../sending/send-failure.js';
import type { Sender } from '../sending/sender.js';
import type { ClaimedEffect } from '../queue/claimed-effect.js';
import type { EffectQueue } from '../queue/effect-queue.js';
import { type Webhook, webhookRequest } from './webhook-request.js';
import { commandFor, type Effect } from '../../engine/index.js';
import { DomainError } from '../../database/errors/index.js';

/**
 * The outcome of one attempt; `withheld` is a webhook of version 0, which is not sent, `released`
 * one that a stop gave back.
 */
export type EffectOutcome = 'done' | 'withheld' | 'postponed' | 'failed' | 'released';

/** Why an effect was not carried out. */
export interface EffectFailure {
  /** For the operator; it may name the user. */
  readonly error: string;
  /** For logs. */
  readonly code: string;
  /** Whether no repeat will carry it out. */
  readonly isFinal: boolean;
}

export interface ExecutionSettings {
  /** Whether webhooks of version 0 are sent (S19). */
  readonly sendUncommitted: boolean;
  /** Called with every attempt, for logs and metrics. */
  readonly onOutcome?: (
    effect: ClaimedEffect,
    outcome: EffectOutcome,
    failure: EffectFailure | null,
  ) => void;
}

type Trigger = Extract<Effect, { kind: 'flow-trigger' }>;

/** The longest chain of flow triggers that is carried out; one more is recorded as failed (S19). */
const LONGEST_CHAIN = 25;

/** Error codes that a retry does not change. */
const FINAL = new Set(['flow.unknown', 'version.unknown', 'user.unknown']);

/** Executes claimed effects and reports the outcome of each to the queue. */
export class EffectExecutor {
  constructor(
    private readonly queue: EffectQueue,
    private readonly runner: RunCommand,
    private readonly catalogue: FlowCatalogue,
    private readonly sender: Sender,
    private readonly silent: SilentReceivers,
    private readonly settings: ExecutionSettings,
    /** Aborts what is still under way then. */
    private readonly end: AbortSignal,
  ) {}

  /**
   * Throws when the database takes no report: the lease ends by itself, and the effect is executed
   * again.
   */
  async execute(claimed: ClaimedEffect): Promise<void> {
    const result = await this.attempt(claimed);
    if (typeof result === 'object') return this.giveBack(claimed, result);
    if (result === 'released') await this.queue.release(claimed);
    else await this.queue.finish(claimed);
    this.settings.onOutcome?.(claimed, result, null);
  }

  private async attempt(
    claimed: ClaimedEffect,
  ): Promise<'done' | 'withheld' | 'released' | EffectFailure> {
    try {
      if (isTrigger(claimed)) await runTrigger(claimed, this.runner, this.catalogue);
      else if (claimed.version === 0 && !this.settings.sendUncommitted) return 'withheld';
      else return await this.sendWebhook(claimed as ClaimedEffect<Webhook>);
      return 'done';
    } catch (error) {
      const { message, code, name } = error as Error & { code?: string };
      return { error: message, code: code ?? name, isFinal: error instanceof FinalFailure };
    }
  }

  private async sendWebhook(
    claimed: ClaimedEffect<Webhook>,
  ): Promise<'done' | 'released' | EffectFailure> {
    const answered = await this.sender.send(webhookRequest(claimed), this.end);
    // It did not fail: this process ends.
    if (answered === null) return 'released';
    this.silent.note(claimed.queue, answered.isSilent);
    const { verdict, error, code, isFinal } = answered;
    return verdict === 'delivered' ? 'done' : { error: error ?? '', code: code ?? '', isFinal };
  }

  private async giveBack(claimed: ClaimedEffect, failure: EffectFailure): Promise<void> {
    const pause = failure.isFinal ? undefined : pauseAfterAttempt(claimed.attempts);
    if (pause === undefined) await this.queue.fail(claimed, failure.error);
    else await this.queue.postpone(claimed, failure.error, pause);
    this.settings.onOutcome?.(claimed, pause === undefined ? 'failed' : 'postponed', failure);
  }
}

/**
 * Runs the command of a trigger on the other flow, for the same user and group, through the same
 * use case as a request. Its id is the idempotency key, so that a repeat does nothing (S19).
 */
async function runTrigger(
  claimed: ClaimedEffect<Trigger>,
  runner: RunCommand,
  catalogue: FlowCatalogue,
): Promise<void> {
  const { effect, environmentId, user, group, id, chain, trace } = claimed;
  if (chain >= LONGEST_CHAIN)
    throw new FinalFailure(
      'chain.too-long',
      `a chain of flow triggers ends after ${LONGEST_CHAIN} links`,
    );
  try {
    const flow = await catalogue.getFlow(effect.flow, effect.version, environmentId);
    const actor = { environmentId, user, ...(group !== null && { group }) };
    await runner.run(flow, actor, commandFor(effect.intent, true), {
      idempotencyKey: id,
      chain: chain + 1,
      ...(trace && { trace }),
    });
  } catch (error) {
    const isFinal = error instanceof DomainError && FINAL.has(error.code);
    throw isFinal ? new FinalFailure(error.code, error.message, { cause: error }) : error;
  }
}

function isTrigger(claimed: ClaimedEffect): claimed is ClaimedEffect<Trigger> {
  return claimed.effect.kind === 'flow-trigger';
}
