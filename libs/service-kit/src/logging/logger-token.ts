/** Injects the log of the process, a pino `Logger`. */
export const LOGGER = Symbol('logger');
