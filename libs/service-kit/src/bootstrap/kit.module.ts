import { ExposedKeys } from '../observability/exposed-keys.js';
import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Database, ReferenceWatch } from '@waymark/domain/database';
import { ApiKeyGuard } from '@waymark/domain/access';
import { SETTINGS, type EffectiveSettings } from '../config/read-settings.js';
import { ApiDocument } from '../http/docs/api-document.js';
import { DocsController } from '../http/docs/docs.controller.js';
import { ClientAddresses } from '../limits/client-address.js';
import { HealthController, SERVICE_NAME } from '../observability/health.controller.js';
import { Readiness } from '../observability/readiness.js';
import { LOGGER } from '../observability/logger.js';
import { Metrics } from '../observability/metrics.js';
import { MetricsController } from '../observability/metrics-server.js';
import { Admission } from '../limits/admission.js';
import { RateLimiter } from '../limits/rate-limiter.js';
import type { ServiceParts } from './service-parts.js';

/**
 * Hands the parts of the service to every module, and adds health and docs to the routes of the
 * application.
 */
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
      { provide: ExposedKeys, useValue: parts.exposed },
      { provide: RateLimiter, useValue: parts.limiter },
      { provide: ClientAddresses, useValue: parts.addresses },
      { provide: Readiness, useValue: parts.readiness },
      { provide: ApiDocument, useValue: document },
    ];
    return {
      module: KitModule,
      global: true,
      imports: [
        // The data source is connected before Nest starts, so that a service that cannot reach its
        // database says so in a sentence.
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
