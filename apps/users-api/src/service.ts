import type { ServiceDefinition } from '@waymark/service-kit/bootstrap';
import { AppModule } from './app.module.js';
import { UsersSettings } from './config/index.js';

/** The users API as one process runs it. */
export const USERS_API: ServiceDefinition = {
  name: 'users-api',
  description: 'Identifies users and groups, with the properties that flows are targeted by.',
  module: AppModule,
  settings: UsersSettings,
};
