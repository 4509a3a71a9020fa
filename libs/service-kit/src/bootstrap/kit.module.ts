import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Database, ReferenceWatch } from '@waymark/domain/database';
import { ApiKeyGuard } from '@waymark/domain/environments';
import { SETTINGS } from '../config/index.js';
import { ApiDocument, DocsController } from '../docs/index.js';
import { ClientAddresses } from '../headers/index.js';
import { HealthController, Readiness, SERVICE_NAME } from '../health/index.js';
import { LOGGER } from '../logging/index.js';
import { Metrics, MetricsController } from '../metrics/index.js';
import { Admission, RateLimits } from '../overload/index.js';
import type { EffectiveSettings } from './effective-settings.js';
import type { ServiceParts } from './service-parts.js';

/** Hands the parts of the service to every module, and adds health and docs to the routes of the application. */
@Module({})
export class KitModule {
  static forService(
    definition: { name: string; module: Type },
    settings: EffectiveSettings,
    parts: ServiceParts,
    document: ApiDocument,
  ): DynamicModule {
    const providers = [
      { provide: SETTINGS, useValue: settings },
      { provide: SERVICE_NAME, useValue: definition.name },
      { provide: LOGGER, useValue: parts.logger },
      { provide: Database, useValue: parts.database },
      { provide: ReferenceWatch, useValue: parts.watch },
      { provide: ApiKeyGuard, useValue: parts.guard },
      { provide: Metrics, useValue: parts.metrics },
      { provide: Admission, useValue: parts.admission },
      { provide: RateLimits, useValue: parts.limits },
      { provide: ClientAddresses, useValue: parts.addresses },
      { provide: Readiness, useValue: parts.readiness },
      { provide: ApiDocument, useValue: document },
    ];
    return {
      module: KitModule,
      global: true,
      imports: [
        // The data source is connected before Nest starts, so that a service that cannot reach its database says so in a sentence.
        TypeOrmModule.forRootAsync({
          useFactory: () => ({ type: 'postgres' }),
          dataSourceFactory: () => Promise.resolve(parts.dataSource),
        }),
        definition.module,
      ],
      controllers: [
        HealthController,
        ...(settings.docs ? [DocsController] : []),
        ...(settings.sharesMetrics ? [MetricsController] : []),
      ],
      providers,
      exports: providers.map(({ provide }) => provide),
    };
  }
}
