import { InvalidArgumentError } from 'commander';
import type { Command } from '../command-line/command.js';
import { CommandRefusal } from '../refusal/command-refusal.js';

interface StudioOptions {
  port?: number;
  readOnly?: boolean;
}

export function addStudioCommand(program: Command): void {
  program
    .command('studio')
    .description('flows, users and operations in a browser; prints the address that lets you in')
    .option(
      '--port <number>',
      'the port to listen on; STUDIO_PORT, else 7072, without it',
      parsePort,
    )
    .option('--read-only', 'nobody can change anything')
    .operation(async (session, { port, readOnly }: StudioOptions) => {
      if (session.isJson)
        throw new CommandRefusal('studio prints a log and no document: leave --json out', {
          status: 'usage',
        });
      const { getAddress } = await import('../command-line/open-database.js');
      const { runStudio } = await import('../local-stack/run-studio.js');
      const { url } = await getAddress(session.settings);
      await runStudio({
        DATABASE_URL: url,
        PORT: String(port ?? session.settings.studioPort),
        WAYMARK_BY: session.author.by,
        ...(readOnly && { STUDIO_READ_ONLY: 'on' }),
      });
    });
}

function parsePort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError('Write a port number from 0 to 65535; 0 is any free port.');
}
