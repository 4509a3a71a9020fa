import { writeFile } from 'node:fs/promises';
import { CommandRefusal } from '../refusal/command-refusal.js';
import { plainJson } from './plain-text.js';

const REASONS: Readonly<Record<string, string>> = {
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
  EACCES: 'this user is not allowed to',
  EPERM: 'this user is not allowed to',
  EROFS: 'nothing can be written there',
  ENOSPC: 'the disk is full',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its links form a circle',
};

/** Why a file could not be read, in words. */
export const readingFailure = (error: unknown): string => reasonOf(error, 'there is no such file');

/** Why a file could not be written, in words. */
export const writingFailure = (error: unknown): string =>
  reasonOf(error, 'there is no such folder');

function reasonOf(error: unknown, missing: string): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' ? missing : (REASONS[code] ?? message);
}

/** Writes the file that `--output` names. Throws a `CommandRefusal` that says why it cannot. */
export async function writeOutput(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (error) {
    throw new CommandRefusal(`${file} cannot be written: ${writingFailure(error)}`, {
      cause: error,
    });
  }
}

/** Writes a piece of a long JSON result to stdout; resolves once the reader or the file has it. */
export function writePiece(json: string): Promise<void> {
  return new Promise((resolve, reject) =>
    process.stdout.write(plainJson(json), (error) => (error ? reject(error) : resolve())),
  );
}
