import {
  BackgroundWorker,
  type BackgroundWorkerSettings,
} from '../../database/background-worker.js';
import type { PostSettings } from './post.js';
import { Sender } from './sender.js';

export interface OutboundWorkerSettings extends BackgroundWorkerSettings {
  readonly sending: PostSettings;
}

/** A worker that sends. */
export abstract class OutboundWorker extends BackgroundWorker {
  protected readonly sender: Sender;

  constructor(options: OutboundWorkerSettings) {
    super(options);
    this.sender = new Sender(options.sending);
  }

  override async stop(graceMs?: number): Promise<void> {
    await super.stop(graceMs);
    this.sender.close();
  }
}
