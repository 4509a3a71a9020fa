import { Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SETTINGS } from '@waymark/service-kit/config';
import { LOGGER } from '@waymark/service-kit/logging';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { AccessModule } from './access/access.module.js';
import { AccessToken } from './access/access-token.js';
import { Sessions } from './access/sessions.js';
import { type Asset, ASSETS } from './assets/asset.js';
import { AssetsModule } from './assets/assets.module.js';
import type { StudioSettings } from './config/index.js';
import { EditModule } from './edit/edit.module.js';
import { EndpointsModule } from './endpoints/endpoints.module.js';
import { EnvironmentsModule } from './environments/environments.module.js';
import { FlowsModule } from './flows/flows.module.js';
import { OperationsModule } from './operations/operations.module.js';
import { PropertiesModule } from './properties/properties.module.js';
import { Reader } from './reader/reader.js';
import { UsersModule } from './users/users.module.js';

/** What lives as long as the process. */
export interface StudioParts {
  settings: StudioSettings;
  logger: Logger;
  assets: ReadonlyMap<string, Asset>;
  dataSource: DataSource;
  token: AccessToken;
  sessions: Sessions;
  reader: Reader;
}

@Module({})
export class AppModule {
  static with({ settings, logger, assets, dataSource, token, sessions, reader }: StudioParts): DynamicModule {
    const providers = [
      { provide: SETTINGS, useValue: settings },
      { provide: LOGGER, useValue: logger },
      { provide: ASSETS, useValue: assets },
      { provide: AccessToken, useValue: token },
      { provide: Sessions, useValue: sessions },
      { provide: Reader, useValue: reader },
    ];
    return {
      module: AppModule,
      global: true,
      imports: [
        // Connected before Nest starts, so that a database that cannot be reached is told in one sentence.
        TypeOrmModule.forRootAsync({
          useFactory: () => ({ type: 'postgres' }),
          dataSourceFactory: () => Promise.resolve(dataSource),
        }),
        AccessModule,
        EndpointsModule,
        EnvironmentsModule,
        FlowsModule,
        EditModule,
        OperationsModule,
        PropertiesModule,
        UsersModule,
        // Last: it takes every address that nobody else did.
        AssetsModule,
      ],
      providers,
      exports: providers.map(({ provide }) => provide),
    };
  }
}
