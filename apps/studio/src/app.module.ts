import { Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SETTINGS } from '@waymark/service-kit/config';
import { LOGGER } from '@waymark/service-kit/observability';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { APP_GUARD } from '@nestjs/core';
import { AccessToken } from './access/access-token.js';
import { Sessions } from './access/sessions.js';
import { type Asset, ASSETS } from './assets/asset.js';
import type { StudioSettings } from './config/settings.js';
import { Reader } from './reader/reader.js';
import { EditController } from './edit/edit.controller.js';
import { PreviewPageController } from './edit/preview-page.controller.js';
import { EditService } from './edit/edit.service.js';
import { TryService } from './edit/try.service.js';
import { ConditionsController } from './conditions/conditions.controller.js';
import { MatchingService } from './conditions/matching.service.js';
import { SeenPropertiesService } from './conditions/seen-properties.service.js';
import { AccessGuard } from './access/access.guard.js';
import { LoginController } from './access/login.controller.js';
import { LoginService } from './access/login.service.js';
import { Oidc } from './access/oidc.js';
import { AssetsController } from './assets/assets.controller.js';
import { AttentionController, SegmentsController } from './shared-files/shared-files.controller.js';
import { EndpointsController } from './endpoints/endpoints.controller.js';
import { EnvironmentsController } from './environments/environments.controller.js';
import { KeysController } from './environments/keys.controller.js';
import { SignersController } from './environments/signers.controller.js';
import { WebhookSecretController } from './environments/webhook-secret.controller.js';
import { OperationsController } from './operations/operations.controller.js';
import { SeeItController } from './see-it/see-it.controller.js';
import { SeeItService } from './see-it/see-it.service.js';
import { FilesController } from './flows/files.controller.js';
import { FlowsController } from './flows/flows.controller.js';
import { ReportsController } from './flows/reports.controller.js';
import { VersionsController } from './flows/versions.controller.js';
import { UserActionsController } from './users/user-actions.controller.js';
import { UsersController } from './users/users.controller.js';

/** What lives as long as the process. */
interface StudioParts {
  settings: StudioSettings;
  logger: Logger;
  assets: ReadonlyMap<string, Asset>;
  dataSource: DataSource;
  token: AccessToken;
  sessions: Sessions;
  reader: Reader;
}

@Module({
  controllers: [ConditionsController],
  providers: [MatchingService, SeenPropertiesService],
  exports: [SeenPropertiesService],
})
class ConditionsModule {}

@Module({
  imports: [ConditionsModule],
  controllers: [EditController, PreviewPageController],
  providers: [EditService, TryService],
})
class EditModule {}

@Module({
  controllers: [LoginController],
  providers: [LoginService, Oidc, { provide: APP_GUARD, useClass: AccessGuard }],
})
class AccessModule {}

@Module({ controllers: [AssetsController] })
class AssetsModule {}

@Module({ controllers: [EndpointsController] })
class EndpointsModule {}

@Module({
  controllers: [EnvironmentsController, KeysController, SignersController, WebhookSecretController],
})
class EnvironmentsModule {}

@Module({ controllers: [AttentionController, SegmentsController] })
class SharedFilesModule {}

@Module({ controllers: [OperationsController] })
class OperationsModule {}

@Module({ controllers: [SeeItController], providers: [SeeItService] })
class SeeItModule {}

@Module({ controllers: [FilesController, FlowsController, ReportsController, VersionsController] })
class FlowsModule {}

@Module({ controllers: [UsersController, UserActionsController] })
class UsersModule {}

@Module({})
export class AppModule {
  static with({
    settings,
    logger,
    assets,
    dataSource,
    token,
    sessions,
    reader,
  }: StudioParts): DynamicModule {
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
        // Connected before Nest starts, so that a database that cannot be reached is reported in
        // one sentence.
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
        SharedFilesModule,
        ConditionsModule,
        UsersModule,
        SeeItModule,
        // Last: it takes every address that no other module takes.
        AssetsModule,
      ],
      providers,
      exports: providers.map(({ provide }) => provide),
    };
  }
}
