// Which build this is: the version of package.json and the commit, which an image gets as
// WAYMARK_COMMIT.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const DIGITS = 12;

/** `{ version, commit }` of the sources in a folder. */
export async function buildInfo(root) {
  const { version } = JSON.parse(await readFile(`${root}/package.json`, 'utf8'));
  const commit = process.env.WAYMARK_COMMIT || (await headOf(root));
  return { version, commit: commit.slice(0, DIGITS) };
}

/** Sources that were unpacked rather than cloned have no commit. */
async function headOf(root) {
  try {
    const { stdout } = await promisify(execFile)('git', ['-C', root, 'rev-parse', 'HEAD']);
    return stdout.trim();
  } catch {
    return 'unknown';
  }
}
