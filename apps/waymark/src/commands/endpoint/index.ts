import type { Command } from '../../command-line/command.js';
import { addAddCommand } from './add.js';
import { addChangesCommand } from './change.js';
import { addFailuresCommand } from './failures.js';
import { addListCommand } from './list.js';
import { addTestCommand } from './test.js';

export function addEndpointCommand(program: Command): void {
  const endpoint = program.command('endpoint').description('where the events of the environment are sent');
  addAddCommand(endpoint);
  addListCommand(endpoint);
  addChangesCommand(endpoint);
  addFailuresCommand(endpoint);
  addTestCommand(endpoint);
}
