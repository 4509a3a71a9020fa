import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Variables } from '@waymark/service-kit/config';
import { EnvelopeFilter, StartError } from '@waymark/service-kit/errors';
import { createLogger, NestLogger, UnavailableLog } from '@waymark/service-kit/logging';
import { AccessToken } from './access/access-token.js';
import { Sessions } from './access/sessions.js';
import { AppModule } from './app.module.js';
import { loadAssets } from './assets/load-assets.js';
import { readStudioSettings, type StudioSettings } from './config/index.js';
import { openStudioDatabase } from './open-database.js';
import { Reader } from './reader/reader.js';
import { createHttpAdapter, type Route } from './requests/http-adapter.js';
import { validationPipe } from './requests/validation.js';

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
 * Starts the studio with the settings of these variables; `pages` is the folder of its built pages, beside which its built
 * reader of texts is. Throws a `StartError` with one sentence when it cannot.
 */
export async function startStudio(variables: Variables, pages: string): Promise<RunningStudio> {
  const settings = readStudioSettings(variables);
  const logger = createLogger('studio', settings.logLevel);
  const [assets, dataSource] = await Promise.all([loadAssets(pages), openStudioDatabase(settings, logger)]);
  const token = new AccessToken(settings.token);
  let port = settings.port;
  const sessions = new Sessions(settings, dataSource.manager, () => port);
  const reader = new Reader(path.join(pages, '../reader.js'));
  const { adapter, routes } = createHttpAdapter(settings, sessions, () => port);
  try {
    const module = AppModule.with({ settings, logger, assets, dataSource, token, sessions, reader });
    const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
      logger: new NestLogger(logger),
      bodyParser: false,
      abortOnError: false,
    });
    app.useGlobalPipes(validationPipe()).useGlobalFilters(new EnvelopeFilter(logger, new UnavailableLog(logger)));
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
      throw new StartError(`port ${port} is taken; take another one, 0 is any free port`, { cause: error });
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
