/** The local PostgreSQL could not be started or stopped; the message is one sentence for people. */
export class PostgresFailure extends Error {
  override readonly name = 'PostgresFailure';
}

const IN_USE = /lock file "postmaster.pid" already exists|pre-existing shared memory block/;

/** Whether another server runs on the data, or is starting on it. */
export const isInUse = (error: unknown): boolean =>
  error instanceof PostgresFailure && IN_USE.test(String(error.cause));

interface FailureContext {
  dataDir: string;
  port?: number;
  logFile?: string;
}

/**
 * What PostgreSQL, the loader and node say, and the sentence that helps. The first match counts.
 */
const KNOWN: [RegExp, (where: FailureContext, match: RegExpExecArray) => string][] = [
  [
    /No space left on device|ENOSPC/,
    ({ dataDir }) => `the disk is full: PostgreSQL cannot write to ${dataDir}`,
  ],
  [
    /Disk quota exceeded|EDQUOT/,
    ({ dataDir }) => `the disk quota is used up: PostgreSQL cannot write to ${dataDir}`,
  ],
  [
    /Address already in use|could not bind/,
    ({ port }) => `port ${port} is in use by another program`,
  ],
  [
    IN_USE,
    ({ dataDir }) => `a PostgreSQL server that is running already uses the data in ${dataDir}`,
  ],
  [
    /initialized by PostgreSQL version (\d+)/,
    ({ dataDir }, [, version]) =>
      `the data in ${dataDir} was made by PostgreSQL ${version}, another version than the one installed now`,
  ],
  [
    /has wrong ownership|Permission denied|EACCES|EPERM/,
    ({ dataDir }) =>
      `no permission: the user that runs PostgreSQL does not own ${dataDir} or may not write there`,
  ],
  [
    /EROFS|Read-only file system/,
    ({ dataDir }) => `${dataDir} is on a file system that is read-only`,
  ],
  [
    /could not look up (effective )?user ID (\d+)/,
    (_, [, , uid]) =>
      `user ${uid} has no entry in the list of users (/etc/passwd), which PostgreSQL needs to create its data`,
  ],
  [
    /error while loading shared libraries: ([^\s:]+)|symbol not found|ld-linux|(postgres|initdb): not found|spawn \S+ ENOENT/,
    (_, [, library]) =>
      `the PostgreSQL of this installation does not run on this system${library ? `, ${library} is missing` : ' (it needs glibc)'}`,
  ],
  [
    /shared memory|Cannot allocate memory|out of memory/,
    () => 'there is not enough memory to start PostgreSQL',
  ],
];

/**
 * Turns what was logged or thrown into one sentence; what is not known by name is quoted from the
 * log.
 */
export function explain(action: string, said: string, where: FailureContext): PostgresFailure {
  for (const [pattern, sentence] of KNOWN) {
    const match = pattern.exec(said);
    if (match)
      return new PostgresFailure(`${action}: ${sentence(where, match)}`, { cause: match[0] });
  }
  const lines = said.trim().split('\n');
  const last = lines.findLast((line) => /FATAL|PANIC|error:/i.test(line)) ?? lines.at(-1);
  const log = where.logFile ? ` (log: ${where.logFile})` : '';
  return new PostgresFailure(
    `${action}: ${last?.replace(/^.*?(FATAL|PANIC|error):\s*/i, '') || 'it ended without a word'}${log}`,
  );
}
