import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type Variables, StartError } from '@waymark/service-kit/config';
import { EnvelopeFilter, Refusal } from '@waymark/service-kit/http';
import { createLogger, NestLogger, UnavailableLog } from '@waymark/service-kit/observability';
import { ValidationPipe } from '@nestjs/common';
import * as transformerPackage from 'class-transformer';
import * as validatorPackage from 'class-validator';
import type { ValidationError } from 'class-validator';
import { loadMigrationStatus } from '@waymark/domain/schema';
import { openDatabase } from '@waymark/service-kit/bootstrap';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { AccessToken } from './access/access-token.js';
import { Sessions } from './access/sessions.js';
import { AppModule } from './app.module.js';
import { loadAssets } from './assets/asset.js';
import { readStudioSettings } from './config/read-settings.js';
import type { StudioSettings } from './config/settings.js';
import { Reader } from './reader/reader.js';
import { createHttpAdapter, type Route } from './requests/http-adapter.js';

/** A studio that takes requests. */
export interface RunningStudio {
  /** The address to open, with the token behind its # where that is what opens it. */
  readonly address: string;
  readonly url: string;
  /** Every route of its router. */
  readonly routes: readonly Route[];
  stop(): Promise<void>;
}

/**
 * What every DTO is held to: nothing that it does not name, and every value of its type (ADR 7).
 */
const validationPipe = (): ValidationPipe =>
  new ValidationPipe({
    // Handed over, as the bundle has no packages to load.
    validatorPackage,
    transformerPackage,
    whitelist: true,
    forbidNonWhitelisted: true,
    transform: true,
    forbidUnknownValues: true,
    exceptionFactory: (errors) => new Refusal(400, sentencesOf(errors).join('; ')),
  });

function sentencesOf(errors: readonly ValidationError[], above = ''): string[] {
  return errors.flatMap(({ property, constraints = {}, children = [] }) => [
    ...Object.values(constraints).map((sentence) => `${above}${sentence}`),
    ...sentencesOf(children, `${above}${property}.`),
  ]);
}

/** Reports and plans read long, a page at a time: no statement of theirs takes this long. */
const STATEMENT_TIMEOUT_MS = 60_000;
const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Starts the studio with the settings of these variables; `pages` is the folder of its built pages,
 * beside which its built reader of texts is. Throws a `StartError` with one sentence when it
 * cannot.
 */
export async function startStudio(variables: Variables, pages: string): Promise<RunningStudio> {
  const settings = readStudioSettings(variables);
  const logger = createLogger('studio', settings.logLevel);
  const [assets, dataSource] = await Promise.all([
    loadAssets(pages),
    openStudioDatabase(settings, logger),
  ]);
  const token = new AccessToken(settings.token);
  let port = settings.port;
  const sessions = new Sessions(settings, dataSource.manager, () => port);
  const reader = new Reader(path.join(pages, '../reader.js'));
  const { adapter, routes } = createHttpAdapter(settings, sessions, () => port);
  try {
    const module = AppModule.with({
      settings,
      logger,
      assets,
      dataSource,
      token,
      sessions,
      reader,
    });
    const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
      logger: new NestLogger(logger),
      bodyParser: false,
      abortOnError: false,
    });
    app
      .useGlobalPipes(validationPipe())
      .useGlobalFilters(new EnvelopeFilter(logger, new UnavailableLog(logger)));
    await listen(app, settings);
    ({ port } = app.getHttpServer().address() as AddressInfo);
    const url = settings.publicUrl ?? `http://127.0.0.1:${port}`;
    logger.info({ url }, 'ready');
    const address = settings.access === 'token' ? `${url}/#token=${token.text}` : url;
    return { address, url, routes, stop: () => stop(app, dataSource) };
  } catch (error) {
    if (dataSource.isInitialized) await dataSource.destroy();
    throw error;
  }
}

/** Connects, and refuses a schema that is behind. Throws a `StartError` that says what to do. */
async function openStudioDatabase(
  { databaseUrl, poolSize }: StudioSettings,
  logger: Logger,
): Promise<DataSource> {
  const timeouts = {
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    answerTimeoutMs: 0,
  };
  const dataSource = await openDatabase(
    { url: databaseUrl, poolSize, applicationName: 'waymark-studio', ...timeouts },
    logger,
  );
  const { pending } = await loadMigrationStatus(dataSource);
  if (pending.length === 0) return dataSource;
  await dataSource.destroy();
  throw new StartError(
    `the database is behind by ${pending.length} migration(s): run "waymark migrate up" first`,
  );
}

async function listen(app: NestFastifyApplication, { host, port }: StudioSettings): Promise<void> {
  await app.init();
  try {
    await app
      .getHttpAdapter()
      .getInstance()
      .listen({ port, host: host.replace(/^\[|\]$/g, '') });
  } catch (error) {
    await app.close();
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new StartError(`port ${port} is taken; take another one, 0 is any free port`, {
        cause: error,
      });
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new StartError(`HOST is not an address of this machine (${code})`, { cause: error });
    throw new StartError(message, { cause: error });
  }
}

async function stop(
  app: NestFastifyApplication,
  dataSource: { isInitialized: boolean; destroy(): Promise<void> },
): Promise<void> {
  // Streams of long work would keep it waiting.
  app.getHttpServer().closeAllConnections();
  await app.close();
  if (dataSource.isInitialized) await dataSource.destroy();
}
