import { CommanderError } from 'commander';
import { plainText } from '../output/plain-text.js';
import { type Ending, CommandRefusal } from '../refusal/command-refusal.js';

interface Failure {
  /** One sentence; the stack only where the error is one of ours to mend. */
  message: string;
  status: Exclude<Ending, 'done'>;
  document: object;
}

/** What to print about an error, and the exit status. */
export async function explainFailure(error: unknown): Promise<Failure> {
  const failure = await failureOf(error);
  return { ...failure, message: plainText(failure.message) };
}

async function failureOf(error: unknown): Promise<Failure> {
  if ((error as Error | null)?.name === 'AbortError') return stopped();
  if (error instanceof CommanderError) return usageFailure(error);
  if (error instanceof CommandRefusal) {
    const { message, status, document } = error;
    return { message, status, document: document ?? { error: { code: status, message } } };
  }
  const { DomainError, isDiskFull, isUnavailable, unavailableSentence } =
    await import('@waymark/domain/database/errors');
  const message = error instanceof Error ? error.message : String(error);
  if (isUnavailable(error) || hasCode(error, 'database.unavailable'))
    return lostDatabase(
      isDiskFull(error)
        ? unavailableSentence(error)
        : `the database was lost on the way: ${message}`,
    );
  if (error instanceof DomainError)
    return { message, status: 'refused', document: { error: { code: error.code, message } } };
  const isKnown = isOfMachine(error);
  const text = isKnown ? message : ((error as Error | null)?.stack ?? message);
  return {
    message: text,
    status: 'refused',
    document: { error: { code: isKnown ? 'refused' : 'unexpected', message } },
  };
}

const hasCode = (error: unknown, code: string): boolean => Object(error).code === code;

const lostDatabase = (message: string): Failure => ({
  message,
  status: 'unreachable',
  document: { error: { code: 'database.unavailable', message } },
});

/**
 * A server that does not start, a file that cannot be written: for the administrator of the
 * machine, in the system's own words.
 */
function isOfMachine(error: unknown): boolean {
  const { name, syscall } = (error ?? {}) as { name?: string; syscall?: string };
  return name === 'PostgresFailure' || syscall !== undefined;
}

function stopped(): Failure {
  const message = 'stopped before the end; the same command continues it';
  return { message, status: 'refused', document: { error: { code: 'stopped', message } } };
}

function usageFailure({ code, message }: CommanderError): Failure {
  const problem =
    code === 'commander.help'
      ? 'a command is missing; see --help'
      : message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ');
  return {
    message: problem,
    status: 'usage',
    document: { error: { code: 'usage', message: problem } },
  };
}
