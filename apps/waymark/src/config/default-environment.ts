/** The environment that a command is about where no other is named. */
export const DEFAULT_ENVIRONMENT = 'development';
