import type { Database } from '../database/database.js';
import type { RunCommand } from '../states/command/run-command.js';
import type { FlowCatalogue } from '../flows/catalogue/flow-catalogue.js';
import { SilentReceivers } from './sending/back-off.js';
import { OutboundWorker, type OutboundWorkerSettings } from './sending/outbound-worker.js';
import { EffectExecutor, type ExecutionSettings } from './execution/effect-executor.js';
import { EffectQueue } from './queue/effect-queue.js';

export interface EffectWorkerSettings extends OutboundWorkerSettings, ExecutionSettings {
  /**
   * Webhooks to one host that are sent at the same time, and flow triggers that run beside them: no
   * host takes the slots of others.
   */
  readonly concurrency: number;
}

/**
 * Executes what waits in the outbox, beside the workers of all other replicas. What a dying process
 * leaves undone is taken over when its lease ends: at least once, never lost (S19).
 */
export class EffectWorker extends OutboundWorker {
  private readonly queue: EffectQueue;
  private readonly executor: EffectExecutor;
  private readonly silent = new SilentReceivers();

  constructor(
    database: Database,
    runner: RunCommand,
    catalogue: FlowCatalogue,
    private readonly settings: EffectWorkerSettings,
  ) {
    super(settings);
    this.queue = new EffectQueue(database);
    this.executor = new EffectExecutor(
      this.queue,
      runner,
      catalogue,
      this.sender,
      this.silent,
      settings,
      this.lettingGo.signal,
    );
    runner.onEffects(() => this.wake());
  }

  protected override async claim(): Promise<void> {
    const { concurrency } = this.settings;
    const { effects, putOff } = await this.queue.claim(
      concurrency,
      this.silent.withhold(this.countRunning(), concurrency),
    );
    if (putOff > 0) this.wake();
    for (const effect of effects)
      this.begin(effect.queue, this.executor.execute(effect), () => this.wake());
  }
}
