import { types } from 'node:util';
import { pino, type Logger, type LevelWithSilent } from 'pino';
import type { LoggerService } from '@nestjs/common';

/** Injects the log of the process, a pino `Logger`. */
export const LOGGER = Symbol('logger');

/**
 * What may be logged of an error: its fields can hold rows, parameters and bodies, so only these.
 */
function describeError(error: unknown): Record<string, unknown> {
  if (!types.isNativeError(error)) return { message: String(error) };
  const { code } = error as { code?: unknown };
  // Fastify puts the whole address of a request into some of its messages, and with it the user's
  // identifier.
  if (error.name === 'FastifyError') return { type: error.name, code };
  return {
    type: error.name,
    message: error.message,
    ...(code !== undefined && { code }),
    stack: error.stack,
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
  };
}

/**
 * The log of a process: lines of JSON on standard output, without bodies, keys and identifiers of
 * users.
 */
export const createLogger = (name: string, level: LevelWithSilent): Logger =>
  pino({
    name,
    level,
    base: { name, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
    redact: ['headers', 'body', 'query', '*.headers["x-api-key"]', 'req', 'res'],
  });

/** Nest's own lines in the log of the process. Those about its start matter only when debugging. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, context?: unknown): void {
    this.logger.debug({ context }, String(message));
  }

  debug(message: unknown, context?: unknown): void {
    this.logger.debug({ context }, String(message));
  }

  verbose(message: unknown, context?: unknown): void {
    this.logger.trace({ context }, String(message));
  }

  warn(message: unknown, context?: unknown): void {
    this.logger.warn({ context }, String(message));
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.logger.error(
      { context: rest.at(-1), err: message },
      message instanceof Error ? message.message : String(message),
    );
  }

  fatal(message: unknown, context?: unknown): void {
    this.logger.fatal({ context, err: message }, String(message));
  }
}
