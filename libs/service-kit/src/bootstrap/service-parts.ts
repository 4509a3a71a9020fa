import { Database, ReferenceWatch } from '@waymark/domain/database';
import { ApiKeyGuard, KeyRing, KeyUse } from '@waymark/domain/access';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import type { GuardedRoute } from '../http/route-access.js';
import type { ServiceSettings } from '../config/service-settings.js';
import { answerOf } from '../http/errors/answer.js';
import { rawErrorSender } from '../http/errors/send-raw-error.js';
import { ClientAddresses, trustIn } from '../limits/client-address.js';
import { isHealth } from '../http/target.js';
import { Readiness } from '../observability/readiness.js';
import { ExposedKeys } from '../observability/exposed-keys.js';
import { RefusalLog, UnavailableLog } from '../observability/refusal-log.js';
import { Metrics } from '../observability/metrics.js';
import { Admission, OVERLOADED } from '../limits/admission.js';
import { Deadline } from '../limits/deadline.js';
import { RateLimiter } from '../limits/rate-limiter.js';
import { TOO_MANY } from '../http/errors/error-table.js';

/** Singletons of the process, provided to Nest by their class. */
export type ServiceParts = ReturnType<typeof createParts>;

/** Puts the parts together; nothing runs yet. */
export function createParts(
  name: string,
  settings: ServiceSettings,
  dataSource: DataSource,
  logger: Logger,
) {
  const database = new Database(dataSource, settings.preparedStatements);
  const keyUse = new KeyUse(database);
  const keys = new KeyRing(database, (keyId) => keyUse.note(keyId));
  const metrics = new Metrics(name);
  const guard = new ApiKeyGuard(keys, (key, outcome) => metrics.countUserToken(key, outcome));
  const addresses = new ClientAddresses(trustIn(settings.trustedProxies));
  const limiter = new RateLimiter({
    rates: { perAddress: settings.requestsPerAddress, perSecretKey: settings.requestsPerSecretKey },
    addresses,
    isSecret: (key) => isSecret(guard, key),
    onLimited: () => metrics.countLimited(),
  });
  const unavailable = new UnavailableLog(logger);
  const admission = createAdmission(settings, { metrics, limiter, unavailable });
  metrics.addPoolGauges(() => database.pool);
  return {
    dataSource,
    database,
    watch: new ReferenceWatch(database),
    keys,
    keyUse,
    exposed: new ExposedKeys(logger, keyUse),
    guard,
    addresses,
    limiter,
    metrics,
    readiness: new Readiness(database),
    admission,
    deadline: new Deadline(settings.requestTimeoutMs, (request) => admission.waitedMs(request)),
    logger,
    unavailable,
    refusals: new RefusalLog(logger),
    /** Every route, once the application is built. */
    routes: [] as GuardedRoute[],
  };
}

/** Answers that cost little: the framework does not see these requests. */
const LIMITED = answerOf(TOO_MANY);
const BUSY = answerOf(OVERLOADED);

function createAdmission(
  settings: ServiceSettings,
  { metrics, limiter, unavailable }: Pick<ServiceParts, 'metrics' | 'limiter' | 'unavailable'>,
): Admission {
  const send = rawErrorSender(settings.corsOrigins);
  const admission = new Admission({
    maxRunning: settings.maxRunning,
    maxWaiting: settings.maxWaiting,
    patienceMs: settings.admissionWaitMs,
    maxBodyBytes: settings.maxBodyBytes,
    maxUnreadBytes: settings.maxUnreadBytes,
    readTimeoutMs: settings.readTimeoutMs,
    bypasses: isHealth,
    isLimited: (request) => limiter.isLimited(request),
    refuseLimited: (request, response) => void send(LIMITED, response, request),
    refuseOverload: (request, response) =>
      unavailable.note(send(BUSY, response, request), BUSY.details),
    onOverload: () => metrics.countShed(),
    onCut: (socket) => limiter.chargeCut(socket),
  });
  metrics.addGauge('waymark_requests_running', 'Requests under way', () => admission.running);
  metrics.addGauge(
    'waymark_requests_waiting',
    'Requests that wait for their turn',
    () => admission.waiting,
  );
  metrics.addGauge(
    'waymark_slow_clients',
    'Requests still arriving and answers still being read',
    () => admission.slowClients,
  );
  return admission;
}

const isSecret = (guard: ApiKeyGuard, key: string): boolean =>
  guard.find(key, key.startsWith('users-') ? 'users' : 'blocks')?.isSecret === true;
