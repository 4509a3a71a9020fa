import { runCommandLine } from './command-line/run-command-line.js';
import { COMMANDS } from './commands/index.js';

process.exitCode = await runCommandLine(process.argv.slice(2), COMMANDS);
