import type { Command } from '../../command-line/command.js';
import { addExportCommand } from './export.js';
import { addPruneCommand } from './prune.js';

export function addEventsCommand(program: Command): void {
  const events = program.command('events').description('what happened in the environment');
  addExportCommand(events);
  addPruneCommand(events);
}
