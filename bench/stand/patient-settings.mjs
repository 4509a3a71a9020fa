/**
 * Settings of a service that waits longer than usual: here a busy machine does not count as an
 * overload.
 */
export const PATIENT = {
  DATABASE_CONNECT_TIMEOUT_MS: '20000',
  DATABASE_ANSWER_TIMEOUT_MS: '20000',
  STATEMENT_TIMEOUT_MS: '20000',
  REQUEST_TIMEOUT_MS: '20000',
};
