import type { Database } from '../database/database.js';
import { defineStatement } from '../database/statement.js';
import { type Announcement, StateChanges } from '../flow-states/state/state-changes.js';
import { packAnnouncements } from './announcement-text.js';
import { PendingAnnouncements } from './pending-announcements.js';
import { NOTIFY } from './postgres-bus.js';

const ANNOUNCE = defineStatement('announce_states', NOTIFY);

/** For the operator's command, which changes states and has no watchers: services learn of what it did (L5). */
export class DatabaseStateChanges extends StateChanges {
  private readonly pending = new PendingAnnouncements();

  constructor(private readonly database: Database) {
    super();
  }

  announce(announcement: Announcement): void {
    this.pending.add(announcement);
  }

  /** Tells what was gathered so far; to be awaited now and then, and before the process ends. */
  override async flush(): Promise<void> {
    if (!this.pending.isEmpty) await this.database.run(ANNOUNCE, [packAnnouncements(this.pending.take())]);
  }
}
