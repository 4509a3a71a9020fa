import type { LevelWithSilent } from 'pino';
import { Choice, Flag, Integer, Origins, Proxies, Url, Word } from './setting.js';

/** The settings of every service. */
export abstract class ServiceSettings {
  /** Each service has a default of its own. */
  abstract readonly port: number;

  @Url('DATABASE_URL', ['postgres', 'postgresql'], {
    description:
      'the PostgreSQL database, migrated with `waymark migrate up`; a password in it is URL-encoded, one that it lacks is read from `PGPASSWORD` as it is; has to be given',
  })
  readonly databaseUrl!: string;

  @Word('HOST', { default: '0.0.0.0', description: 'the address to listen on' })
  readonly host!: string;

  @Integer('METRICS_PORT', {
    optional: true,
    min: 0,
    max: 65_535,
    description:
      'the port of `GET /metrics`; 0 is any free port; the same number as PORT serves it beside the API; PORT + 1000 when not given',
  })
  readonly metricsPort?: number;

  @Word('METRICS_HOST', {
    optional: true,
    description: 'the address to listen on for metrics; HOST when not given',
  })
  readonly metricsHost?: string;

  @Choice('LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    default: 'info',
    description: 'the least important lines to log; `debug` has a line for every request',
  })
  readonly logLevel!: LevelWithSilent;

  @Origins('CORS_ORIGINS', {
    default: '*',
    description: 'the web origins that browsers may call from, separated by commas; * is any',
  })
  readonly corsOrigins!: '*' | string[];

  @Integer('DATABASE_POOL_SIZE', {
    default: '10',
    min: 1,
    max: 1000,
    description: 'maximum PostgreSQL connections per process',
  })
  readonly poolSize!: number;

  @Flag('PREPARED_STATEMENTS', {
    default: 'on',
    description:
      'off behind a pooler in transaction mode that cannot keep prepared statements (PgBouncer before 1.21)',
  })
  readonly preparedStatements!: boolean;

  @Milliseconds(
    'DATABASE_CONNECT_TIMEOUT_MS',
    1_000,
    'milliseconds to wait for a connection to PostgreSQL',
  )
  readonly connectTimeoutMs!: number;

  @Milliseconds(
    'DATABASE_ANSWER_TIMEOUT_MS',
    1_200,
    'milliseconds to wait for the answer of a statement',
  )
  readonly answerTimeoutMs!: number;

  @Milliseconds(
    'STATEMENT_TIMEOUT_MS',
    1_000,
    'milliseconds after which PostgreSQL itself gives up a statement, such as one behind a lock',
  )
  readonly statementTimeoutMs!: number;

  @Milliseconds(
    'REQUEST_TIMEOUT_MS',
    2_200,
    'after this many milliseconds a request whose body has arrived is answered with 503',
  )
  readonly requestTimeoutMs!: number;

  @Milliseconds(
    'RECEIVE_TIMEOUT_MS',
    30_000,
    'milliseconds a client may take to send a whole request',
  )
  readonly receiveTimeoutMs!: number;

  @Milliseconds(
    'KEEP_ALIVE_TIMEOUT_MS',
    72_000,
    'milliseconds an idle connection stays open; longer than the load balancer in front keeps it',
  )
  readonly keepAliveTimeoutMs!: number;

  @Milliseconds('READ_TIMEOUT_MS', 30_000, 'milliseconds a client may take to read a whole answer')
  readonly readTimeoutMs!: number;

  @Bytes(
    'MAX_BODY_MEMORY_BYTES',
    'bytes of request bodies in memory at once; then the slowest sender is cut off',
  )
  readonly maxBodyBytes!: number;

  @Bytes(
    'MAX_UNREAD_BYTES',
    'bytes of answers that wait to be read at once; then the slowest reader is cut off',
  )
  readonly maxUnreadBytes!: number;

  @Proxies('TRUSTED_PROXIES', {
    default: 'loopback,linklocal,uniquelocal',
    description:
      'proxies that may say in `x-forwarded-for` whom they speak for: addresses and ranges like 10.0.0.0/8, separated by commas, or `none`; the default is all private addresses',
  })
  readonly trustedProxies!: string[];

  @PerSecond(
    'REQUESTS_PER_ADDRESS',
    1_000,
    'requests a second from one address, and by one verified user, with public keys or without a key, on this replica; one more is answered with 429. Of IPv6 an address is a /64, and each /48 has 16 times as much',
  )
  readonly requestsPerAddress!: number;

  @PerSecond(
    'REQUESTS_PER_SECRET_KEY',
    100_000,
    'requests a second with one secret key, on this replica',
  )
  readonly requestsPerSecretKey!: number;

  @Integer('CONNECTIONS_PER_ADDRESS', {
    default: '10000',
    min: 1,
    max: 10_000_000,
    description:
      'open connections of one address on this replica, sockets among them; those of TRUSTED_PROXIES are not counted',
  })
  readonly connectionsPerAddress!: number;

  @Integer('MAX_RUNNING_REQUESTS', {
    default: '1000',
    min: 1,
    max: 1_000_000,
    description: 'requests under way at once; one more waits for its turn',
  })
  readonly maxRunning!: number;

  @Integer('MAX_WAITING_REQUESTS', {
    default: '5000',
    min: 0,
    max: 1_000_000,
    description:
      'requests that may wait for their turn; one more is answered with 503 and Retry-After at once',
  })
  readonly maxWaiting!: number;

  @Milliseconds(
    'ADMISSION_WAIT_MS',
    500,
    'milliseconds a request may wait for its turn, then 503; they count for REQUEST_TIMEOUT_MS',
  )
  readonly admissionWaitMs!: number;

  @Integer('SHUTDOWN_GRACE_MS', {
    default: '2000',
    min: 0,
    max: 8_000,
    description:
      'milliseconds that new requests are still served after SIGTERM, while readiness already says no',
  })
  readonly shutdownGraceMs!: number;

  @Word('NODE_ENV', {
    default: 'development',
    description: '`production` switches the docs off unless DOCS says otherwise',
  })
  readonly mode!: string;

  @Flag('DOCS', {
    optional: true,
    description: 'on or off: `GET /docs` and `/docs/json`; on unless NODE_ENV is production',
  })
  readonly docs?: boolean;
}

/** The port that a service listens on. */
export const Port = (port: number): PropertyDecorator =>
  Integer('PORT', {
    default: String(port),
    min: 0,
    max: 65_535,
    description: 'the port to listen on, 7071 for blocks-api; 0 is any free port',
  });

function Milliseconds(name: string, fallback: number, description: string): PropertyDecorator {
  return Integer(name, { default: String(fallback), min: 1, max: 3_600_000, description });
}

function Bytes(name: string, description: string): PropertyDecorator {
  return Integer(name, { default: '67108864', min: 2_097_152, max: 17_179_869_184, description });
}

function PerSecond(name: string, fallback: number, description: string): PropertyDecorator {
  return Integer(name, { default: String(fallback), min: 1, max: 1_000_000_000, description });
}
