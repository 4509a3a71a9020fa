import type { BeforeApplicationShutdown, OnApplicationBootstrap, OnModuleDestroy, Provider, Type } from '@nestjs/common';

interface Worker {
  start(): void;
  /** Returns when what was begun has ended. */
  stop(): Promise<void>;
}

/** Runs a worker from the start to the shutdown of the service. */
export class WorkerLifecycle implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown {
  private stopped: Promise<void> | undefined;

  constructor(private readonly worker: Worker) {}

  /** The provider that runs the worker of a module. */
  static of(worker: Type<Worker>): Provider {
    return {
      provide: `lifecycle of ${worker.name}`,
      useFactory: (provided: Worker) => new WorkerLifecycle(provided),
      inject: [worker],
    };
  }

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
