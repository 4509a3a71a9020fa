import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DeliveryWorker } from '@waymark/domain/event-log';

/** Delivers events from the start to the shutdown of the service. */
@Injectable()
export class DeliveryLifecycle implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown {
  private stopped: Promise<void> | undefined;

  constructor(private readonly worker: DeliveryWorker) {}

  onApplicationBootstrap(): void {
    this.worker.start();
  }

  /** Not awaited before the end, since sockets are closed meanwhile: Nest goes through the modules one after the other. */
  onModuleDestroy(): void {
    this.stopped = this.worker.stop();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.stopped;
  }
}
