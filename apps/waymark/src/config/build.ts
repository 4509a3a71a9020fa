import { readFileSync } from 'node:fs';

/** The release and the commit that the command was built from, as `tools/build.mjs` writes them beside it. */
export function readBuild(): { version: string; commit: string } {
  return JSON.parse(readFileSync(new URL('../build.json', import.meta.url), 'utf8')) as { version: string; commit: string };
}
