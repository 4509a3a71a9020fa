/** Injects the settings of the service: `@Inject(SETTINGS) settings: UsersSettings`. */
export const SETTINGS = Symbol('settings');

/** Injects the name of the service, such as `users-api`. */
export const SERVICE_NAME = Symbol('service name');

/** Injects the log of the process, a pino `Logger`. */
export const LOGGER = Symbol('logger');
