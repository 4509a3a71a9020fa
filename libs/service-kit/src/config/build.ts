/** Which build of Waymark this is. */
interface Build {
  readonly version: string;
  /** Of the repository, shortened; `unknown` for sources that came without it. */
  readonly commit: string;
}

/** Written into the bundle by `tools/bundle.mjs`; not there in modules that are not bundled. */
declare const WAYMARK_BUILD: Build | undefined;

export const BUILD: Build =
  typeof WAYMARK_BUILD === 'undefined'
    ? { version: 'development', commit: 'unknown' }
    : WAYMARK_BUILD;
