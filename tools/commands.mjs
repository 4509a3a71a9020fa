// Writes what the commands of `waymark` do, as they say themselves, into docs/operations.md.
// Usage: node tools/build.mjs && node tools/commands.mjs
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeCommands } from '../dist/apps/waymark/modules/command-line/list-commands.js';
import { createProgram } from '../dist/apps/waymark/modules/command-line/run-command-line.js';
import { COMMANDS } from '../dist/apps/waymark/modules/commands/index.js';

const operations = path.join(path.dirname(fileURLToPath(import.meta.url)), '../docs/operations.md');
const text = await readFile(operations, 'utf8');
const table = describeCommands(createProgram(COMMANDS));
await writeFile(
  operations,
  text.replace(/(<!-- commands -->\n)[^]*?(<!-- \/commands -->)/, (_, start, end) => `${start}\n${table}\n\n${end}`),
);
