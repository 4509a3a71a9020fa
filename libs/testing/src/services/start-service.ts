/** What a service of the kit is, once it runs. */
export interface StartedService {
  url: string;
  metricsUrl: string;
  stop(): Promise<void>;
}

/** Settings by the names of their environment variables. */
export type SettingsByName = Record<string, string>;

const timeouts = (
  timeouts: Record<'DATABASE_CONNECT' | 'DATABASE_ANSWER' | 'STATEMENT' | 'REQUEST', number>,
): SettingsByName =>
  Object.fromEntries(
    Object.entries(timeouts).map(([name, ms]) => [`${name}_TIMEOUT_MS`, String(ms)]),
  );

/**
 * As by default: for tests of what does not answer. Where the machine is busy, what does answer may
 * be refused as well.
 */
export const IN_TIME: SettingsByName = {
  ...timeouts({
    DATABASE_CONNECT: 1_000,
    DATABASE_ANSWER: 1_200,
    STATEMENT: 1_000,
    REQUEST: 2_200,
  }),
  ADMISSION_WAIT_MS: '500',
};

/** Time for a machine that is busy with other things. */
export const PATIENCE: SettingsByName = {
  ...timeouts({
    DATABASE_CONNECT: 120_000,
    DATABASE_ANSWER: 120_000,
    STATEMENT: 120_000,
    REQUEST: 120_000,
  }),
  ADMISSION_WAIT_MS: '120000',
};

/**
 * Free ports of this machine only, no log but of errors, and limits that let a test send as much as
 * it can from one address.
 */
export const TEST_SETTINGS: SettingsByName = {
  ...PATIENCE,
  HOST: '127.0.0.1',
  PORT: '0',
  METRICS_PORT: '0',
  LOG_LEVEL: 'error',
  REQUESTS_PER_ADDRESS: '1000000',
};

/**
 * Starts a service in this process, with test settings where none are given:
 * `startService((settings) => bootstrap(USERS_API, settings), { DATABASE_URL: database.url })`.
 * Stop it before the database is dropped.
 */
export const startService = <Service extends StartedService>(
  start: (settings: SettingsByName) => Promise<Service>,
  settings: SettingsByName,
): Promise<Service> => start({ ...TEST_SETTINGS, ...settings });
