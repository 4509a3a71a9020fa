// A copy of the tree that faults can be planted in, without touching the tree itself.
import { execFileSync } from 'node:child_process';
import {
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * The file with its fault in it. Throws where the text to replace is not there once: the fault has
 * to be brought up to date.
 */
export function mutate({ name, find, put }, text) {
  const parts = text.split(find);
  if (parts.length !== 2)
    throw new Error(`"${name}" cannot be planted: its text is there ${parts.length - 1} times`);
  return parts.join(put);
}

/** Copies what git tracks or would add, links the packages, and returns the folder. */
export async function copyTree(root) {
  const copy = await mkdtemp(path.join(tmpdir(), 'waymark-mutants-'));
  const list = execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  );
  for (const file of list.split('\0').filter(Boolean))
    await cp(path.join(root, file), path.join(copy, file)).catch(ignoreGone);
  await linkPackages(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
  return copy;
}

/**
 * Packages by links to where they are; links to the workspace itself lead to the copy, as they are
 * relative.
 */
async function linkPackages(from, to) {
  await mkdir(to, { recursive: true });
  for (const name of await readdir(from)) {
    if (name.startsWith('.cache')) continue;
    const source = path.join(from, name);
    if (name.startsWith('@')) await linkPackages(source, path.join(to, name));
    else if ((await lstat(source)).isSymbolicLink())
      await cp(source, path.join(to, name), { verbatimSymlinks: true });
    else await symlink(source, path.join(to, name));
  }
}

/** Plants a fault for as long as the work runs. */
export async function withFault(copy, fault, work) {
  const file = path.join(copy, fault.file);
  const text = await readFile(file, 'utf8');
  await writeFile(file, mutate(fault, text));
  try {
    return await work();
  } finally {
    await writeFile(file, text);
  }
}

export const removeTree = (copy) => rm(copy, { recursive: true, force: true });

/** A file that git still lists may be deleted in the tree. */
function ignoreGone(error) {
  if (error.code !== 'ENOENT') throw error;
}
