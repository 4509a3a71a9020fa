import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Database, ReferenceWatch } from '@waymark/domain/database';
import { KeyRing } from '@waymark/domain/environments';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { ApiKeyGuard, type GuardedRoute } from '../access/index.js';
import type { ServiceSettings } from '../config/index.js';
import { envelopeOf } from '../errors/index.js';
import { Readiness } from '../health/index.js';
import { Metrics } from '../metrics/index.js';
import { Admission, Deadline } from '../overload/index.js';
import { corsHeaders } from '../requests/index.js';

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
  const admission = new Admission({
    maxRunning: settings.maxRunning,
    refuse: (request, response) => {
      metrics.countShed();
      refuse(request, response, settings.corsOrigins);
    },
  });
  metrics.watchPool(() => database.pool);
  metrics.watch('waymark_requests_running', 'Requests under way', () => admission.running);
  return {
    dataSource,
    database,
    watch: new ReferenceWatch(database),
    keys,
    guard: new ApiKeyGuard(keys),
    metrics,
    readiness: new Readiness(database),
    admission,
    deadline: new Deadline(settings.requestTimeoutMs),
    logger,
    routes: [],
  };
}

const BUSY = { status: 503, details: 'too many requests are under way, please try again', headers: {} } as const;

function refuse(request: IncomingMessage, response: ServerResponse, origins: '*' | string[]): void {
  const requestId = randomUUID();
  response.writeHead(BUSY.status, {
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': requestId,
    'retry-after': '1',
    ...corsHeaders(origins, request.headers.origin),
  });
  response.end(JSON.stringify(envelopeOf(BUSY, requestId)));
}
