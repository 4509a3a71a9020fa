import { expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { COMMANDS } from '../commands/index.js';
import { describeCommands } from './list-commands.js';
import { createProgram } from './run-command-line.js';

test('the documentation for operators has every command, and says of each what the command says itself', async () => {
  const documented = /<!-- commands -->\n([^]*?)<!-- \/commands -->/.exec(
    await readFile('docs/operations.md', 'utf8'),
  )![1]!;
  const withoutPadding = (table: string) => table.trim().replace(/[ -]+/g, ' ');
  // `npm run generate` writes it.
  expect(withoutPadding(documented)).toBe(
    withoutPadding(describeCommands(createProgram(COMMANDS))),
  );
});
