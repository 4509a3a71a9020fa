import { types } from 'node:util';
import { pino, type Logger, type LevelWithSilent } from 'pino';

/** Injects the log of the process, a pino `Logger`. */
export const LOGGER = Symbol('logger');

/** What may be logged of an error: its fields can hold rows, parameters and bodies, so only these. */
function describeError(error: unknown): Record<string, unknown> {
  if (!types.isNativeError(error)) return { message: String(error) };
  const { code } = error as { code?: unknown };
  // Fastify puts the whole address of a request into some of its messages, and with it the user's identifier.
  if (error.name === 'FastifyError') return { type: error.name, code };
  return {
    type: error.name,
    message: error.message,
    ...(code !== undefined && { code }),
    stack: error.stack,
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
  };
}

/** The log of a process: lines of JSON on standard output, without bodies, keys and identifiers of users. */
export const createLogger = (name: string, level: LevelWithSilent): Logger =>
  pino({
    name,
    level,
    base: { name, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
    redact: ['headers', 'body', 'query', '*.headers["x-api-key"]', 'req', 'res'],
  });
