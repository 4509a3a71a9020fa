import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

/** Nest's own lines in the log of the process. What it tells of its start is of interest when debugging only. */
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
    this.logger.error({ context: rest.at(-1), err: message }, message instanceof Error ? message.message : String(message));
  }

  fatal(message: unknown, context?: unknown): void {
    this.logger.fatal({ context, err: message }, String(message));
  }
}
