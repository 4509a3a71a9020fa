import { Module } from '@nestjs/common';
import { Database } from '@waymark/domain/database';
import { Identify } from '@waymark/domain/users';
import { type ServiceSettings, SETTINGS } from '@waymark/service-kit/config';
import { IdentifyController } from './identify.controller.js';

@Module({
  controllers: [IdentifyController],
  providers: [
    {
      provide: Identify,
      // Whoever waited any longer has been answered already.
      useFactory: (database: Database, settings: ServiceSettings) =>
        new Identify(database, { patienceMs: settings.requestTimeoutMs }),
      inject: [Database, SETTINGS],
    },
  ],
})
export class IdentifyModule {}
