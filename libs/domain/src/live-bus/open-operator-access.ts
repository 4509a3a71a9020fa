import type { DataSource } from 'typeorm';
import { Database } from '../database/database.js';
import type { OperatorAccess } from '../flow-states/operator-access.js';
import { RunCommand } from '../flow-states/run-command.js';
import { FlowCatalogue } from '../flows/flow-catalogue.js';
import { DatabaseStateChanges } from './database-state-changes.js';

/** For a process without watchers, such as the command: what it changes is announced to the services by the database (L5). */
export function openOperatorAccess(dataSource: DataSource): OperatorAccess {
  const database = new Database(dataSource);
  const catalogue = new FlowCatalogue(database);
  const changes = new DatabaseStateChanges(database);
  return { dataSource, catalogue, changes, runner: new RunCommand(database, catalogue, changes) };
}
