// Writes what the commands of `waymark` do, as they say themselves, into docs/reference.md.
// Usage: node tools/build.mjs && node tools/commands.mjs
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describeCommands } from '../dist/apps/waymark/modules/command-line/list-commands.js';
import { createProgram } from '../dist/apps/waymark/modules/command-line/run-command-line.js';
import { COMMANDS } from '../dist/apps/waymark/modules/commands/index.js';
import { ROOT, writeWhole } from './write-file.mjs';

const reference = path.join(ROOT, 'docs/reference.md');
const text = await readFile(reference, 'utf8');
const table = describeCommands(createProgram(COMMANDS));
await writeWhole(
  reference,
  text.replace(
    /(<!-- commands -->\n)[^]*?(<!-- \/commands -->)/,
    (_, start, end) => `${start}\n${table}\n\n${end}`,
  ),
);
