import type { DataSource } from 'typeorm';
import { Database } from '../database/database.js';
import type { OperatorAccess } from '../flow-states/command/operator-access.js';
import { RunCommand } from '../flow-states/command/run-command.js';
import { FlowCatalogue } from '../flows/catalogue/flow-catalogue.js';
import { DatabaseStateChanges } from './database-state-changes.js';

/**
 * For a process without watchers, such as the command: what it changes is announced to the services by the database (L5).
 * `prepared` is off behind a pooler that cannot keep prepared statements.
 */
export function openOperatorAccess(dataSource: DataSource, prepared = true): OperatorAccess {
  const database = new Database(dataSource, prepared);
  const catalogue = new FlowCatalogue(database);
  const changes = new DatabaseStateChanges(database);
  return { dataSource, catalogue, changes, runner: new RunCommand(database, catalogue, changes) };
}
