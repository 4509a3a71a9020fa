import { expect, test } from '@jest/globals';
import type { Command } from 'commander';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { COMMANDS } from '../commands/index.js';
import { describeCommands } from './list-commands.js';
import { createProgram } from './run-command-line.js';

test('the documentation for operators has every command, and says of each what the command says itself', async () => {
  const documented = /<!-- commands -->\n([^]*?)<!-- \/commands -->/.exec(
    await readFile('docs/reference.md', 'utf8'),
  )![1]!;
  const withoutPadding = (table: string) => table.trim().replace(/[ -]+/g, ' ');
  // `npm run generate` writes it.
  expect(withoutPadding(documented)).toBe(
    withoutPadding(describeCommands(createProgram(COMMANDS))),
  );
});

/** `studio --read-only` is a setting (T2), and `--shards` needs servers of Citus. */
const WITHOUT_TEST = ['studio --read-only', 'migrate distribute --shards'];

test('the name of every option is given in some test', () => {
  const optionsOf = (command: Command, name: string): string[] => [
    ...command.options.map(({ long }) => `${name}${long}`),
    ...command.commands.flatMap((child) => optionsOf(child, `${name}${child.name()} `)),
  ];
  const tests = ['apps', 'libs', 'tools'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((file) => path.join(folder, file))
      .filter((file) => /spec\.ts$|\/e2e\/.*\.ts$/.test(file) && !file.includes('node_modules')),
  );
  const texts = tests.map((file) => readFileSync(file, 'utf8')).join('\n');
  const isGiven = (option: string) =>
    new RegExp(`${option.split(' ').at(-1)!}(?![\\w-])`).test(texts);
  const options = optionsOf(createProgram(COMMANDS), '');
  expect(options.length).toBeGreaterThan(100);
  expect(options.filter((option) => !isGiven(option) && !WITHOUT_TEST.includes(option))).toEqual(
    [],
  );
});
