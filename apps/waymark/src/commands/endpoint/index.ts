import type { Command } from 'commander';
import { addAdd } from './add.js';
import { addChanges } from './change.js';
import { addFailures } from './failures.js';
import { addList } from './list.js';
import { addTest } from './test.js';

export function addEndpoint(program: Command): void {
  const endpoint = program.command('endpoint').description('where the events of the environment are sent');
  addAdd(endpoint);
  addList(endpoint);
  addChanges(endpoint);
  addFailures(endpoint);
  addTest(endpoint);
}
