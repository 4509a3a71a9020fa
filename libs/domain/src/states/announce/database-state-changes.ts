import type { DataSource } from 'typeorm';
import { Database } from '../../database/database.js';
import { defineStatement } from '../../database/statement.js';
import { type Announcement, StateChanges } from '../state/state-changes.js';
import { PendingAnnouncements } from './announcement-batcher.js';
import { packAnnouncements } from './announcement-text.js';
import { NOTIFY } from './postgres-bus.js';
import type { OperatorAccess } from '../command/operator-access.js';
import { RunCommand } from '../command/run-command.js';
import { FlowCatalogue } from '../../flows/catalogue/flow-catalogue.js';

const ANNOUNCE = defineStatement('announce_states', NOTIFY);

/**
 * For the operator's command, which changes states and has no watchers: services learn of what it
 * did (L5).
 */
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
    if (!this.pending.isEmpty)
      await this.database.run(ANNOUNCE, [packAnnouncements(this.pending.take())]);
  }
}

/**
 * For a process without watchers, such as the command: what it changes is announced to the services
 * by the database (L5). `prepared` is off behind a pooler that cannot keep prepared statements.
 */
export function openOperatorAccess(dataSource: DataSource, prepared = true): OperatorAccess {
  const database = new Database(dataSource, prepared);
  const catalogue = new FlowCatalogue(database);
  const changes = new DatabaseStateChanges(database);
  return { dataSource, catalogue, changes, runner: new RunCommand(database, catalogue, changes) };
}
