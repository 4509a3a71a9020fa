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
export const writingFailure = (error: unknown): string => reasonOf(error, 'there is no such folder');

function reasonOf(error: unknown, missing: string): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' ? missing : (REASONS[code] ?? message);
}
