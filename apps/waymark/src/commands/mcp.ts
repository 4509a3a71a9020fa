import { InvalidArgumentError } from 'commander';
import type { Command } from '../command-line/command.js';
import type { AddCommand } from '../command-line/run-command-line.js';
import { CommandRefusal } from '../refusal/command-refusal.js';
import { type Permission, PERMISSIONS } from '../mcp/tools/tool.js';

/** The command that offers `commands` to agents. */
export const mcpCommand =
  (commands: readonly AddCommand[]): AddCommand =>
  (program: Command) => {
    program
      .command('mcp')
      .description(
        'offers the command to agents by the Model Context Protocol; it only reads without --allow',
      )
      .option(
        '--allow <kind>',
        `what else it may do: ${PERMISSIONS.join(', ')}; may be repeated`,
        collectPermission,
        [],
      )
      .operation(async (session, { allow }: { allow: readonly Permission[] }) => {
        if (session.isJson)
          throw new CommandRefusal(
            'mcp speaks a protocol and prints no document: leave --json out',
            {
              status: 'usage',
            },
          );
        const { serveAgents } = await import('../mcp/server.js');
        const { by } = session.author;
        await serveAgents({ commands, allowed: new Set(allow), by }, session.signal);
      });
  };

function collectPermission(text: string, before: readonly Permission[]): readonly Permission[] {
  const known = PERMISSIONS.find((permission) => permission === text);
  if (known) return [...before, known];
  throw new InvalidArgumentError(`Write one of ${PERMISSIONS.join(', ')}.`);
}
