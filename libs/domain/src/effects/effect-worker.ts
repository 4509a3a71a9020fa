import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../database/database.js';
import type { RunCommand } from '../flow-states/command/run-command.js';
import type { FlowCatalogue } from '../flows/catalogue/flow-catalogue.js';
import type { ClaimedEffect } from './queue/claimed-effect.js';
import { EffectCarrier, type CarrierSettings } from './carrying/effect-carrier.js';
import { EffectQueue } from './queue/effect-queue.js';

export interface EffectWorkerSettings extends CarrierSettings {
  /** Webhooks to one host carried out at the same time, and so many triggers besides: no host takes the slots of others. */
  readonly concurrency: number;
  /** How often the database is asked when nothing tells that there is something to do. */
  readonly pollMs: number;
  /** Called when the database fails the worker itself: at most once a poll, and once for an effect in hand. */
  readonly onTrouble?: (error: unknown) => void;
}

/** Time between a command with effects and the look for them, in which more may come. */
const GATHER_MS = 10;

/**
 * Carries out what waits in the outbox, beside the workers of all other replicas. What a dying process leaves undone is
 * taken over when its lease ends: at least once, never lost (S19).
 */
export class EffectWorker {
  private readonly queue: EffectQueue;
  private readonly carrier: EffectCarrier;
  /** What is carried out just now, with its queue. */
  private readonly running = new Map<Promise<void>, string>();
  private readonly closing = new AbortController();
  private readonly lettingGo = new AbortController();
  private working: Promise<void> | undefined;
  private wanted = false;
  private interrupt: () => void = () => undefined;

  constructor(
    database: Database,
    runner: RunCommand,
    catalogue: FlowCatalogue,
    private readonly settings: EffectWorkerSettings,
  ) {
    // Every webhook that is under way listens to it.
    setMaxListeners(0, this.lettingGo.signal);
    this.queue = new EffectQueue(database);
    this.carrier = new EffectCarrier(this.queue, runner, catalogue, settings, this.lettingGo.signal);
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

  /** Begins nothing more, waits at most `graceMs` for what runs, then gives it up: another worker takes it over. */
  async stop(graceMs = 4_000): Promise<void> {
    this.closing.abort();
    this.interrupt();
    const timer = setTimeout(() => this.lettingGo.abort(), graceMs).unref();
    await this.working;
    await Promise.all(this.running.keys());
    clearTimeout(timer);
  }

  private async work(): Promise<void> {
    while (!this.closing.signal.aborted) {
      try {
        this.wanted = false;
        await this.claim();
        if (!this.wanted) await this.rest();
      } catch (error) {
        this.settings.onTrouble?.(error);
        await this.sleep(this.settings.pollMs);
      }
      await this.sleep(GATHER_MS);
    }
  }

  private rest(): Promise<void> {
    if (this.closing.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.settings.pollMs).unref();
      this.interrupt = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Nothing but the end wakes it sooner. */
  private async sleep(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: this.closing.signal }).catch(() => undefined);
  }

  private async claim(): Promise<void> {
    const { effects, putOff } = await this.queue.claim(this.settings.concurrency, countEach(this.running.values()));
    if (putOff > 0) this.wanted = true;
    for (const effect of effects) this.begin(effect);
  }

  private begin(effect: ClaimedEffect): void {
    const work: Promise<void> = this.carrier
      .carryOut(effect)
      .catch((error: unknown) => this.settings.onTrouble?.(error))
      .finally(() => {
        this.running.delete(work);
        this.wake();
      });
    this.running.set(work, effect.queue);
  }
}

function countEach(queues: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const queue of queues) counts.set(queue, (counts.get(queue) ?? 0) + 1);
  return counts;
}
