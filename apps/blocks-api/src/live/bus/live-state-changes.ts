import { type Announcement, StateChanges } from '@waymark/domain/flow-states';
import type { LiveBus } from '@waymark/domain/live-bus';

/** Where commands of this replica tell what they committed: watchers here look at once, other replicas by the bus. */
export class LiveStateChanges extends StateChanges {
  private listener: (announcements: readonly Announcement[]) => void = () => undefined;

  constructor(private readonly bus: LiveBus) {
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
