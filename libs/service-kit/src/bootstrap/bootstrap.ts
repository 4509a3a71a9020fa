import { areEventPlacesAhead } from '@waymark/domain/schema';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import {
  readSettings,
  type Variables,
  StartError,
  effectiveSettings,
  type EffectiveSettings,
  processEnvironment,
} from '../config/read-settings.js';
import { loadPendingMigrations } from '../observability/readiness.js';
import { openDatabase } from './open-database.js';
import { ApiDocument } from '../http/docs/api-document.js';
import { EnvelopeFilter } from '../http/errors/send-error.js';
import { createLogger, NestLogger } from '../observability/logger.js';
import { createMetricsServer } from '../observability/metrics-server.js';
import { installFrontDoor } from '../http/front-door.js';
import { observeRequests } from '../observability/observe-requests.js';
import { createHttpAdapter } from '../http/adapter.js';
import { retryAtStart } from './retry-at-start.js';
import { Connections, closeParts, RunningService } from './running-service.js';
import { KitModule } from './kit.module.js';
import { listening, listenPlainly } from './listen.js';
import type { ServiceDefinition } from './service-definition.js';
import { createParts, type ServiceParts } from './service-parts.js';

/**
 * Connections that may wait to be accepted, as many as Linux allows by default. Of more than these
 * the system drops the first packet, and the client comes back after a second or more (R13): a
 * flood of connections, or a deploy that brings all pages back.
 */
const BACKLOG = 4_096;

/**
 * Starts a service with the settings of some environment variables and returns it when it takes
 * requests. Throws a `StartError` with one sentence when it cannot: settings, database, migrations,
 * port.
 */
export async function bootstrap(
  definition: ServiceDefinition,
  variables: Variables,
): Promise<RunningService> {
  const settings = effectiveSettings(readSettings(definition.settings, variables));
  const logger = createLogger(definition.name, settings.logLevel);
  const dataSource = await openDatabase(
    {
      ...settings,
      url: settings.databaseUrl,
      applicationName: definition.connections ?? definition.name,
    },
    logger,
  );
  const parts = createParts(definition.name, settings, dataSource, logger);
  try {
    await retryAtStart(() => requireCurrentSchema(parts), logger);
    await retryAtStart(() => parts.keys.refresh(), logger);
    return await serve(await createApp(definition, settings, parts), settings, parts);
  } catch (error) {
    await closeParts(parts);
    throw error;
  }
}

async function requireCurrentSchema({ database }: ServiceParts): Promise<void> {
  const { length } = await loadPendingMigrations(database);
  if (length > 0)
    throw new StartError(
      `the database is behind by ${length} migration(s): run "waymark migrate up" first`,
    );
  if (await areEventPlacesAhead(database))
    throw new StartError(
      'the database was restored into another cluster, which counts transactions anew: run "waymark migrate up" first, which moves new events behind the old ones',
    );
}

async function createApp(
  definition: ServiceDefinition,
  settings: EffectiveSettings,
  parts: ServiceParts,
) {
  const document = new ApiDocument(definition.name, definition.description);
  const adapter = createHttpAdapter(definition, settings, parts);
  const instance = adapter.getInstance();
  installFrontDoor(instance, { ...parts, origins: settings.corsOrigins });
  observeRequests(instance, parts);
  parts.deadline.install(instance);
  closeWhenLeaving(instance, parts);
  const module = KitModule.forService(definition, settings, parts, document);
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    logger: new NestLogger(parts.logger),
    bodyParser: false,
    abortOnError: false,
  });
  document.describe(app);
  return app.useGlobalFilters(new EnvelopeFilter(parts.logger, parts.unavailable));
}

async function serve(
  app: NestFastifyApplication,
  settings: EffectiveSettings,
  parts: ServiceParts,
): Promise<RunningService> {
  const { host, port, metricsPort, metricsHost = host } = settings;
  const metrics = createMetricsServer(parts.metrics);
  const connections = new Connections([app.getHttpServer(), metrics]);
  parts.metrics.addGauge(
    'waymark_connections',
    'Open connections of clients, sockets too',
    () => connections.size,
  );
  try {
    await app.init();
    // Not `app.listen`, which logs a port that is taken before it says so.
    const url = await listening(app.getHttpServer(), 'PORT', port, () =>
      app.getHttpAdapter().getInstance().listen({ port, host, backlog: BACKLOG }),
    );
    const metricsUrl = settings.sharesMetrics
      ? url
      : await listening(metrics, 'METRICS_PORT', metricsPort, () =>
          listenPlainly(metrics, metricsPort, metricsHost),
        );
    parts.keys.follow(parts.watch);
    parts.watch.start();
    parts.keyUse.start();
    parts.logger.info({ url, metricsUrl }, 'ready');
    return new RunningService(
      url,
      metricsUrl,
      app,
      settings.shutdownGraceMs,
      parts,
      metrics,
      connections,
    );
  } catch (error) {
    await app.close();
    throw error;
  }
}

/**
 * While the process shuts down, clients are asked to reconnect, which takes them to another
 * replica.
 */
function closeWhenLeaving(instance: FastifyInstance, { readiness }: ServiceParts): void {
  instance.addHook('onSend', (_request, reply, _payload, done) => {
    if (readiness.isLeaving) reply.header('connection', 'close');
    done();
  });
}

/**
 * The life of a process that is one service: starts it, or says in one sentence why not and exits
 * 1. SIGTERM ends it after the grace, Ctrl-C at once; both finish what runs and exit 0.
 */
export async function runService(definition: ServiceDefinition): Promise<void> {
  try {
    const service = await bootstrap(definition, processEnvironment());
    process.once('SIGTERM', () => void end(service, service.graceMs));
    process.once('SIGINT', () => void end(service, 0));
  } catch (error) {
    const text =
      error instanceof StartError ? error.message : ((error as Error).stack ?? String(error));
    process.stderr.write(`${definition.name}: ${text}\n`, () => process.exit(1));
  }
}

async function end(service: RunningService, graceMs: number): Promise<void> {
  await service.stop({ graceMs });
  process.exit(0);
}
