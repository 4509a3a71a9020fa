/** Written into the bundle by `tools/bundle.mjs`; not there in modules that are not bundled. */
declare const WAYMARK_BUILD: { version: string; commit: string } | undefined;

/** The release and the commit that the command was built from. */
export const BUILD =
  typeof WAYMARK_BUILD === 'undefined'
    ? { version: 'development', commit: 'unknown' }
    : WAYMARK_BUILD;

/** The environment variables of child processes: those of this one, with others on top. */
export const childVariables = (
  settings: Record<string, string | undefined>,
): NodeJS.ProcessEnv => ({
  ...process.env,
  ...settings,
});
