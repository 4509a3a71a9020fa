/** Settings of a service that takes its time: a busy machine is not an overload here. */
export const PATIENT = {
  DATABASE_CONNECT_TIMEOUT_MS: '20000',
  DATABASE_ANSWER_TIMEOUT_MS: '20000',
  STATEMENT_TIMEOUT_MS: '20000',
  REQUEST_TIMEOUT_MS: '20000',
};
