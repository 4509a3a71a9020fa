import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { EffectWorker } from '@waymark/domain/effects';

/** Carries effects out from the start to the shutdown of the service. */
@Injectable()
export class EffectsLifecycle implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(private readonly worker: EffectWorker) {}

  onApplicationBootstrap(): void {
    this.worker.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.worker.stop();
  }
}
