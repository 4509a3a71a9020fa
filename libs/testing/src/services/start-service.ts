/** What a service of the kit is, once it runs. */
export interface StartedService {
  url: string;
  metricsUrl: string;
  stop(): Promise<void>;
}

/** Settings by the names of their environment variables. */
export type SettingsByName = Record<string, string>;

/** Free ports of this machine only, no log but of errors, and limits that let a test send as much as it can from one address. */
export const TEST_SETTINGS: SettingsByName = {
  HOST: '127.0.0.1',
  PORT: '0',
  METRICS_PORT: '0',
  LOG_LEVEL: 'error',
  REQUESTS_PER_ADDRESS: '1000000',
};

/**
 * Starts a service in this process, with test settings where none are given:
 * `startService((settings) => bootstrap(USERS_API, settings), { DATABASE_URL: database.url })`. Stop it before the
 * database is dropped.
 */
export const startService = <Service extends StartedService>(
  start: (settings: SettingsByName) => Promise<Service>,
  settings: SettingsByName,
): Promise<Service> => start({ ...TEST_SETTINGS, ...settings });
