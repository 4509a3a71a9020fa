import { existsSync } from 'node:fs';
import { chmod, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** What `.waymark/local.json` says: how to reach the local stack. */
export interface LocalStack {
  usersUrl: string;
  blocksUrl: string;
  databaseUrl: string;
  environment: string;
  usersApiKey: string;
  blocksApiKey: string;
}

/**
 * The `.waymark` folder of this folder or the nearest above that has one or is a workspace; `up`
 * and `nx serve` make it.
 */
export function findLocalFolder(from = process.cwd()): string {
  for (let folder = from; ; folder = path.dirname(folder)) {
    const isHome =
      existsSync(path.join(folder, '.waymark')) || existsSync(path.join(folder, 'nx.json'));
    if (isHome) return path.join(folder, '.waymark');
    if (folder === path.dirname(folder)) return path.join(from, '.waymark');
  }
}

/**
 * What the last `up` or `nx serve` wrote; undefined where neither ever ran or the file is not
 * readable as such.
 */
export async function findLocalStack(folder = findLocalFolder()): Promise<LocalStack | undefined> {
  try {
    const found = JSON.parse(
      await readFile(path.join(folder, 'local.json'), 'utf8'),
    ) as Partial<LocalStack> | null;
    const isWhole = [found?.usersUrl, found?.blocksUrl, found?.databaseUrl].every(
      (text) => typeof text === 'string',
    );
    return isWhole ? (found as LocalStack) : undefined;
  } catch {
    return undefined;
  }
}

/** Whole or not at all, and for the owner only: it has keys and a password in it. */
export async function writeLocalStack(folder: string, stack: LocalStack): Promise<void> {
  const file = path.join(folder, 'local.json');
  await writeFile(`${file}.new`, `${JSON.stringify(stack, null, 2)}\n`, { mode: 0o600 });
  await chmod(`${file}.new`, 0o600);
  await rename(`${file}.new`, file);
}
