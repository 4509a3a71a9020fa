import { defineService } from '@waymark/service-kit/bootstrap';
import { AppModule } from './app.module.js';
import { checkSettings, SETTINGS_TABLE } from './config/index.js';
import { isHandshake } from './live/connect/live-path.js';

/** The blocks API as one process runs it. */
export const BLOCKS_API = defineService({
  name: 'blocks-api',
  description: 'Reads and moves the flows and blocks of a user, over HTTP and live over a socket.',
  module: AppModule,
  settings: SETTINGS_TABLE,
  check: checkSettings,
  takesUpgrade: isHandshake,
});
