/** The environment that a command is about where no other is named. */
export const DEFAULT_ENVIRONMENT = 'development';

/** The environment variables of child processes: those of this one, with others on top. */
export const childEnvironment = (settings: Record<string, string | undefined>): NodeJS.ProcessEnv => ({
  ...process.env,
  ...settings,
});
