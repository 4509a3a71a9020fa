import { choice, flag, integer, optional, origins, url, word, type SettingsOf } from './setting.js';

const milliseconds = (name: string, fallback: number, description: string) =>
  integer(name, { default: String(fallback), min: 1, max: 3_600_000, description });

/** The settings of every service; `port` is the default of PORT. */
export const serviceSettings = (port: number) => ({
  databaseUrl: url('DATABASE_URL', ['postgres', 'postgresql'], {
    description: 'the PostgreSQL database, migrated with `waymark migrate up`; has to be given',
  }),
  host: word('HOST', { default: '0.0.0.0', description: 'the address to listen on' }),
  port: integer('PORT', {
    default: String(port),
    min: 0,
    max: 65_535,
    description: 'the port to listen on, 7071 for blocks-api; 0 is any free port',
  }),
  metricsPort: optional(
    integer('METRICS_PORT', {
      min: 0,
      max: 65_535,
      description:
        'the port of `GET /metrics`; 0 is any free port, the same as PORT is on the service itself; PORT + 1000 when not given',
    }),
  ),
  logLevel: choice('LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    default: 'info',
    description: 'the least important lines to log; `debug` has a line for every request',
  }),
  corsOrigins: origins('CORS_ORIGINS', {
    default: '*',
    description: 'the web origins that browsers may call from, separated by commas; * is any',
  }),
  poolSize: integer('DATABASE_POOL_SIZE', {
    default: '10',
    min: 1,
    max: 1000,
    description: 'connections to PostgreSQL of this process at most',
  }),
  preparedStatements: flag('PREPARED_STATEMENTS', {
    default: 'on',
    description: 'off behind a pooler in transaction mode that cannot keep prepared statements (PgBouncer before 1.21)',
  }),
  connectTimeoutMs: milliseconds('DATABASE_CONNECT_TIMEOUT_MS', 1_000, 'milliseconds to wait for a connection to PostgreSQL'),
  answerTimeoutMs: milliseconds('DATABASE_ANSWER_TIMEOUT_MS', 1_200, 'milliseconds to wait for the answer of a statement'),
  statementTimeoutMs: milliseconds(
    'STATEMENT_TIMEOUT_MS',
    1_000,
    'milliseconds after which PostgreSQL itself gives up a statement, such as one behind a lock',
  ),
  requestTimeoutMs: milliseconds(
    'REQUEST_TIMEOUT_MS',
    2_200,
    'milliseconds after which a request whose body has arrived is answered with 503 whatever it waits for',
  ),
  receiveTimeoutMs: milliseconds('RECEIVE_TIMEOUT_MS', 30_000, 'milliseconds a client may take to send a whole request'),
  keepAliveTimeoutMs: milliseconds(
    'KEEP_ALIVE_TIMEOUT_MS',
    72_000,
    'milliseconds an idle connection stays open; longer than the load balancer in front keeps it',
  ),
  maxRunning: integer('MAX_RUNNING_REQUESTS', {
    default: '1000',
    min: 1,
    max: 1_000_000,
    description: 'requests under way at once; one more waits for its turn',
  }),
  maxWaiting: integer('MAX_WAITING_REQUESTS', {
    default: '5000',
    min: 0,
    max: 1_000_000,
    description: 'requests that may wait for their turn; one more is answered with 503 and Retry-After at once',
  }),
  admissionWaitMs: milliseconds(
    'ADMISSION_WAIT_MS',
    500,
    'milliseconds a request may wait for its turn, then 503; they count for REQUEST_TIMEOUT_MS',
  ),
  shutdownGraceMs: integer('SHUTDOWN_GRACE_MS', {
    default: '2000',
    min: 0,
    max: 8_000,
    description: 'milliseconds that new requests are still served after SIGTERM, while readiness already says no',
  }),
  mode: word('NODE_ENV', {
    default: 'development',
    description: '`production` switches the docs off unless DOCS says otherwise',
  }),
  docs: optional(flag('DOCS', { description: 'on or off: `GET /docs` and `/docs/json`; on unless NODE_ENV is production' })),
});

export type ServiceSettings = SettingsOf<ReturnType<typeof serviceSettings>>;
