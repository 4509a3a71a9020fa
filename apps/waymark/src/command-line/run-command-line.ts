import { CommanderError } from 'commander';
import { Command, type OpenSession } from './command.js';
import { BUILD } from '../config/build.js';
import { DEFAULT_ENVIRONMENT } from '../config/default-environment.js';
import { explainFailure } from './explain-failure.js';
import { toJson } from '../output/print-json.js';
import { EXIT_STATUS } from '../refusal/command-refusal.js';

/**
 * Runs one command and returns its exit status: 0 done, 1 refused, 2 wrong usage, 3 database not
 * reachable. With `--json` stdout gets exactly one document, `{ "error": … }` or what the refusal
 * carries when it is refused.
 */
export async function runCommandLine(
  args: readonly string[],
  commands: readonly AddCommand[],
): Promise<number> {
  endQuietlyWhenNobodyReads();
  // Not an option of the program: it would take that of `flow show --version 3` away.
  if (args[0] === '--version') return tellVersion(args.includes('--json'));
  const program = createProgram(commands);
  try {
    await program.parseAsync(args, { from: 'user' });
    return EXIT_STATUS.done;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT_STATUS.done;
    const { message, status, document } = await explainFailure(error);
    // Commander has already printed what is wrong with the arguments.
    if (!(error instanceof CommanderError)) process.stderr.write(`waymark: ${message}\n`);
    if (args.includes('--json')) process.stdout.write(`${toJson(document)}\n`);
    return EXIT_STATUS[status];
  }
}

function tellVersion(asJson: boolean): number {
  process.stdout.write(
    `${asJson ? toJson(BUILD) : `waymark ${BUILD.version} (${BUILD.commit})`}\n`,
  );
  return EXIT_STATUS.done;
}

/** Adds one command, with its options and what it does, to the program. */
export type AddCommand = (program: Command) => void;

/** The whole command line, each run in a session of its own, which `openSession` opens. */
export function createProgram(commands: readonly AddCommand[], openSession?: OpenSession): Command {
  const program = new Command('waymark');
  if (openSession) program.openSession = openSession;
  program
    .description('Operates Waymark: the local stack, environments, keys, flows, users.')
    .option('--json', 'print one JSON document on stdout and nothing else there')
    .option('--yes', 'do it without asking')
    .option('--env <name>', `the environment; WAYMARK_ENV or ${DEFAULT_ENVIRONMENT} without it`)
    .option(
      '--by <name>',
      'who changes something, for the audit log; WAYMARK_BY or the account without it',
    )
    .option('--reason <text>', 'why, for the audit log')
    .addHelpText(
      'after',
      '\n`waymark --version` prints the release and the commit that it was built from.',
    )
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(see --help)')
    .exitOverride();
  for (const add of commands) add(program);
  return program;
}

/** `waymark user list | head -1` is not an error. */
function endQuietlyWhenNobodyReads(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT_STATUS.done);
    throw error;
  });
}
