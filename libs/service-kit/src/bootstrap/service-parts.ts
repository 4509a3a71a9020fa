import { Database, ReferenceWatch } from '@waymark/domain/database';
import { ApiKeyGuard, KeyRing, KeyUse } from '@waymark/domain/environments';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import type { GuardedRoute } from '../access/index.js';
import type { ServiceSettings } from '../config/index.js';
import { answerOf, HEAD_TOO_LARGE, rawErrorSender } from '../errors/index.js';
import { ClientAddresses, trustIn } from '../headers/index.js';
import { isHealth, Readiness } from '../health/index.js';
import { RefusalLog, UnavailableLog } from '../logging/index.js';
import { Metrics } from '../metrics/index.js';
import { Admission, Deadline, OVERLOADED, RateLimits } from '../overload/index.js';
import { Toll, TOO_MANY } from '../requests/index.js';

/** What lives as long as the process and is handed to whoever asks for it by its class. */
export type ServiceParts = ReturnType<typeof createParts>;

/** Puts the parts together; nothing runs yet. */
export function createParts(name: string, settings: ServiceSettings, dataSource: DataSource, logger: Logger) {
  const database = new Database(dataSource, settings.preparedStatements);
  const keyUse = new KeyUse(database);
  const keys = new KeyRing(database, (keyId) => keyUse.note(keyId));
  const metrics = new Metrics(name);
  const guard = new ApiKeyGuard(keys, (key, outcome) => metrics.countUserToken(key, outcome));
  const limits = createLimits(settings);
  const addresses = new ClientAddresses(trustIn(settings.trustedProxies));
  const countLimited = (): void => metrics.countLimited();
  const { connectionsPerAddress } = settings;
  const toll = new Toll({ limits, addresses, connectionsPerAddress, isSecret: (key) => isSecret(guard, key), countLimited });
  const unavailable = new UnavailableLog(logger);
  const admission = createAdmission(settings, { metrics, toll, unavailable });
  metrics.addPoolGauges(() => database.pool);
  return {
    dataSource,
    database,
    watch: new ReferenceWatch(database),
    keys,
    keyUse,
    guard,
    limits,
    addresses,
    toll,
    metrics,
    readiness: new Readiness(database),
    admission,
    deadline: new Deadline(settings.requestTimeoutMs, (request) => admission.waitedMs(request)),
    logger,
    unavailable,
    refusals: new RefusalLog(logger),
    /** Every route, once the application stands. */
    routes: [] as GuardedRoute[],
  };
}

const createLimits = (settings: ServiceSettings): RateLimits =>
  new RateLimits({
    perAddress: settings.requestsPerAddress,
    perPublicKey: settings.requestsPerPublicKey,
    perSecretKey: settings.requestsPerSecretKey,
  });

/** Answers that cost little: the framework does not see these requests. */
const TURNED_AWAY = answerOf(TOO_MANY);
const BUSY = answerOf(OVERLOADED);

function createAdmission(
  settings: ServiceSettings,
  { metrics, toll, unavailable }: Pick<ServiceParts, 'metrics' | 'toll' | 'unavailable'>,
): Admission {
  const send = rawErrorSender(settings.corsOrigins);
  const admission = new Admission({
    maxRunning: settings.maxRunning,
    maxWaiting: settings.maxWaiting,
    patienceMs: settings.admissionWaitMs,
    maxBodyBytes: settings.maxBodyBytes,
    maxUnreadBytes: settings.maxUnreadBytes,
    readTimeoutMs: settings.readTimeoutMs,
    mayConnect: (socket) => toll.mayConnect(socket),
    isBeside: isHealth,
    chargeCut: (socket) => toll.chargeCut(socket),
    mayAsk: (request) => toll.mayAsk(request),
    isFlood: (request) => toll.isFlood(request),
    turnAway: (request, response) => void send(TURNED_AWAY, response, request),
    refuseHead: (request, response) => {
      toll.chargeCut(request.socket);
      send(HEAD_TOO_LARGE, response.setHeader('connection', 'close'), request);
    },
    refuse: (request, response) => unavailable.note(send(BUSY, response, request), BUSY.details),
    countRefused: () => metrics.countShed(),
  });
  metrics.addGauge('waymark_requests_running', 'Requests under way', () => admission.running);
  metrics.addGauge('waymark_requests_waiting', 'Requests that wait for their turn', () => admission.waiting);
  metrics.addGauge('waymark_slow_clients', 'Requests still arriving and answers still being read', () => admission.slowClients);
  return admission;
}

const isSecret = (guard: ApiKeyGuard, key: string): boolean =>
  guard.find(key, key.startsWith('users-') ? 'users' : 'blocks')?.isSecret === true;
