import { defineService } from '@waymark/service-kit/bootstrap';
import { AppModule } from './app.module.js';
import { SETTINGS_TABLE } from './config/index.js';

/** The users API as one process runs it. */
export const USERS_API = defineService({
  name: 'users-api',
  description: 'Identifies users and groups, with the properties that flows are targeted by.',
  module: AppModule,
  settings: SETTINGS_TABLE,
});
