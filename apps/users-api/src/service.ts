import type { ServiceDefinition } from '@waymark/service-kit/bootstrap';
import { Module } from '@nestjs/common';
import { Database } from '@waymark/domain/database';
import { Identify, Track } from '@waymark/domain/users';
import { type ServiceSettings, SETTINGS } from '@waymark/service-kit/config';
import { UsersSettings } from './config/settings.js';
import { IdentifyController } from './identify/identify.controller.js';
import { TrackController } from './track/track.controller.js';

/** Everything the users API serves, apart from health and docs. */
@Module({
  controllers: [IdentifyController, TrackController],
  providers: [
    {
      provide: Identify,
      // A request that waits longer has been answered with 503.
      useFactory: (database: Database, settings: ServiceSettings) =>
        new Identify(database, { patienceMs: settings.requestTimeoutMs }),
      inject: [Database, SETTINGS],
    },
    {
      provide: Track,
      useFactory: (database: Database, settings: ServiceSettings) =>
        new Track(database, { patienceMs: settings.requestTimeoutMs }),
      inject: [Database, SETTINGS],
    },
  ],
})
class AppModule {}

/** The users API as one process runs it. */
export const USERS_API: ServiceDefinition = {
  name: 'users-api',
  description: 'Identifies users and groups, with the properties that flows are targeted by.',
  module: AppModule,
  settings: UsersSettings,
};
