import { Inject, Injectable } from '@nestjs/common';
import { type Announcement, StateChanges } from '@waymark/domain/flow-states';
import type { LiveBus } from '@waymark/domain/live-bus';
import { LIVE_BUS } from './live-bus-token.js';

/** Where commands of this replica tell what they committed: watchers here look at once, other replicas by the bus. */
@Injectable()
export class LiveStateChanges extends StateChanges {
  private listener: (announcements: readonly Announcement[]) => void = () => undefined;

  constructor(@Inject(LIVE_BUS) private readonly bus: LiveBus) {
    super();
  }

  /** The one who shows changes to the watchers of this replica. */
  listen(listener: (announcements: readonly Announcement[]) => void): void {
    this.listener = listener;
  }

  announce(announcement: Announcement): void {
    this.bus.announce(announcement);
    this.listener([announcement]);
  }
}
