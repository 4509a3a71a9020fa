import type { Command } from 'commander';
import { addExport } from './export.js';
import { addPrune } from './prune.js';

export function addEvents(program: Command): void {
  const events = program.command('events').description('what happened in the environment');
  addExport(events);
  addPrune(events);
}
