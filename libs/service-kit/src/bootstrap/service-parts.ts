import { Database, ReferenceWatch } from '@waymark/domain/database';
import { ApiKeyGuard, KeyRing } from '@waymark/domain/environments';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import type { GuardedRoute } from '../access/index.js';
import type { ServiceSettings } from '../config/index.js';
import { Readiness } from '../health/index.js';
import { Metrics } from '../metrics/index.js';
import { Admission, answerBusy, Deadline } from '../overload/index.js';

/** What lives as long as the process and is handed to whoever asks for it by its class. */
export interface ServiceParts {
  dataSource: DataSource;
  database: Database;
  watch: ReferenceWatch;
  keys: KeyRing;
  guard: ApiKeyGuard;
  metrics: Metrics;
  readiness: Readiness;
  admission: Admission;
  deadline: Deadline;
  logger: Logger;
  /** Every route, once the application stands. */
  routes: GuardedRoute[];
}

/** Puts the parts together; nothing runs yet. */
export function createParts(name: string, settings: ServiceSettings, dataSource: DataSource, logger: Logger): ServiceParts {
  const database = new Database(dataSource, settings.preparedStatements);
  const keys = new KeyRing(database);
  const metrics = new Metrics(name);
  const refuse = answerBusy(settings.corsOrigins);
  const admission = new Admission({
    maxRunning: settings.maxRunning,
    maxWaiting: settings.maxWaiting,
    patienceMs: settings.admissionWaitMs,
    refuse: (request, response) => {
      metrics.countShed();
      refuse(request, response);
    },
  });
  metrics.watchPool(() => database.pool);
  metrics.watch('waymark_requests_running', 'Requests under way', () => admission.running);
  metrics.watch('waymark_requests_waiting', 'Requests that wait for their turn', () => admission.waiting);
  return {
    dataSource,
    database,
    watch: new ReferenceWatch(database),
    keys,
    guard: new ApiKeyGuard(keys, (key, outcome) => metrics.countUserToken(key, outcome)),
    metrics,
    readiness: new Readiness(database),
    admission,
    deadline: new Deadline(settings.requestTimeoutMs, (request) => admission.waitedMs(request)),
    logger,
    routes: [],
  };
}
