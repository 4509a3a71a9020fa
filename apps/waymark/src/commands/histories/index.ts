import type { Command } from '../../command-line/command.js';
import { addExportCommand } from './export.js';
import { addReplayCommand } from './replay.js';

export function addHistoriesCommand(program: Command): void {
  const histories = program
    .command('histories')
    .description('recorded histories without their users, to try a release on before an upgrade');
  addExportCommand(histories);
  addReplayCommand(histories);
}
