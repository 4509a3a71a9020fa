/**
 * The environment that a command is about where no other is named. Not in `settings.ts`, since
 * every run says it in its help, and that file loads the packages that check settings.
 */
export const DEFAULT_ENVIRONMENT = 'development';
