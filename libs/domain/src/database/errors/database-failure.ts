import { DomainError } from './domain-error.js';

/** What node and pg say when there is no server to talk to, or no answer in time. */
const LOST = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
const LOST_MESSAGES = [
  'timeout exceeded when trying to connect',
  'Query read timeout',
  'Connection terminated',
  'Client has encountered a connection error',
  'Client was closed',
];
/**
 * SQLSTATEs of a server that cannot serve just now: connection (08), resources (53), shutdown
 * (57P), timeouts and conflicts; and of one that refuses the login, as while the password of the
 * role is changed.
 */
const BUSY = /^(08|53|57P|57014|55P03|25006|25P03|40001|40P01|28|3D000)/;
/** Authorization: the role, its password, or the rules of the server for logging in. */
const LOGIN = /^28/;

/**
 * Whether the error means a server out of reach or too busy, rather than of a bad statement or bad
 * data.
 */
export function isUnavailable(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === 'string' && (LOST.has(code) || BUSY.test(code))) return true;
  if (isServerLost(error)) return true;
  return typeof message === 'string' && LOST_MESSAGES.some((text) => message.includes(text));
}

/**
 * What Citus says, and the library by which its servers talk, when it has no SQLSTATE for a server
 * that is lost: some of it counts as an internal error (XX000), some even as bad data (22023).
 */
const LOST_SERVER = new RegExp(
  `^(?:${[
    'connection to the remote node .* failed',
    'could not find any healthy placement for shard',
    'failure on connection marked as essential',
    'could not establish any connections to the node',
    'failed to execute task',
    'connection error:',
    'node group \\d+ does not have a primary node',
    'there is a shard placement in node group',
    'server closed the connection unexpectedly',
    'no connection to the server',
    'connection not open',
    'connection pointer is NULL',
    'could not (?:receive data from|send data to|connect to) server',
    'SSL connection has been closed unexpectedly',
    'lost synchronization with server',
  ].join('|')})`,
);

/**
 * Of a lost connection, and of a server that is shut down: one says that of itself with another
 * severity.
 */
const LOST_CODE = /^(08|57P)/;

/**
 * Whether the server itself answers, and says that another one, which has the rows, is lost (G4):
 * those of the other servers can still be read and written.
 */
export function isServerLost(error: unknown): boolean {
  const { severity, code, message } = causeOf(error);
  if (severity !== 'ERROR' || typeof code !== 'string') return false;
  return (
    LOST_CODE.test(code) || (['XX000', '22023'].includes(code) && LOST_SERVER.test(message ?? ''))
  );
}

/**
 * Whether the connection may still be used after this error: only a plain answer of a server that
 * serves leaves it clean.
 */
export function isConnectionSound(error: unknown): boolean {
  const { code, severity } = error as { code?: unknown; severity?: unknown };
  return (
    typeof code === 'string' &&
    /^[0-9A-Z]{5}$/.test(code) &&
    !isReadOnly(error) &&
    severity === 'ERROR'
  );
}

/** Whether a server refused to write, as one does that was demoted to a standby. */
export const isReadOnly = (error: unknown): boolean =>
  (error as { code?: unknown }).code === '25006';

/**
 * Whether the statement may have been carried out though it failed here: it was sent, and no answer
 * came, or none to the server that sent it on. Not where the server itself refused it, nor where
 * there was no connection to send it on.
 */
export function mayHaveCommitted(error: unknown): boolean {
  const { severity, code, message = '' } = causeOf(error);
  const isUnsent =
    code === 'ECONNREFUSED' ||
    code === 'ENOTFOUND' ||
    LOGIN.test(String(code)) ||
    message.includes('when trying to connect');
  return (severity !== 'ERROR' || isServerLost(error)) && !isUnsent;
}

/** Why no connection can be made, in words without the address, which has the password in it. */
export function describeConnectFailure(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  if (code === 'ECONNREFUSED') return 'nothing listens there (ECONNREFUSED)';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `there is no such host (${code})`;
  if (code === '28P01' || code === '28000') return `the user or the password is refused (${code})`;
  if (code === '3D000') return `there is no such database (${code})`;
  return isUnavailable(error)
    ? `it gives no answer (${code ?? message})`
    : (message ?? code ?? 'unknown');
}

/**
 * The error itself, or `database.unavailable` where the server is out of reach: safe to retry,
 * nothing is known to be written.
 */
export function databaseFailure(error: unknown): unknown {
  return isUnavailable(error)
    ? new DomainError('database.unavailable', unavailableSentence(error), { cause: error })
    : error;
}

/**
 * As `databaseFailure`, for errors on the way to a connection: none of them can be about a
 * statement.
 */
export const connectFailure = (error: unknown): DomainError =>
  new DomainError('database.unavailable', unavailableSentence(error), { cause: error });

/**
 * What clients read and the log keeps: says why where PostgreSQL does, without names or addresses.
 */
export function unavailableSentence(error: unknown): string {
  if (isLockedOut(error)) return LOCKED_OUT;
  if (isServerLost(error)) return SERVER_LOST;
  if (isDiskFull(error)) return DISK_FULL;
  return LOGIN.test(codeOf(error))
    ? LOGIN_REFUSED
    : 'the database cannot be reached just now, please try again';
}

/** Whether a write was refused since the disk of the server is full; reads go on there. */
export const isDiskFull = (error: unknown): boolean => codeOf(error) === '53100';

const LOCKED_OUT =
  'others write the same data and did not finish in time, nothing was changed; please try again';
const SERVER_LOST =
  'one of the servers of the database cannot be reached just now, please try again';
const DISK_FULL = 'the disk of the database is full, nothing was written; please try again later';
const LOGIN_REFUSED =
  'the database refuses the role or the password of this service just now, please try again';

/**
 * Given up by the server, which is there otherwise and has changed nothing: the statement waited
 * for a lock, or met another writer.
 */
export function isConflict(error: unknown): boolean {
  return ['57014', '55P03', '40001', '40P01'].includes(codeOf(error));
}

/** Of these, where others were in the way for too long: worth another try at once. */
export const isLockedOut = (error: unknown): boolean =>
  ['55P03', '40001', '40P01'].includes(codeOf(error));

function codeOf(error: unknown): string {
  const { code } = causeOf(error);
  return typeof code === 'string' ? code : '';
}

/** The error of PostgreSQL or its driver, also where a domain error wraps it. */
const causeOf = (error: unknown): { severity?: unknown; code?: unknown; message?: string } =>
  ((error as Error).cause ?? error) as { severity?: unknown; code?: unknown; message?: string };
