/** The environment variables of child processes: those of this one, with others on top. */
export const childVariables = (settings: Record<string, string | undefined>): NodeJS.ProcessEnv => ({
  ...process.env,
  ...settings,
});
