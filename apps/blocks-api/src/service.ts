import type { ServiceDefinition } from '@waymark/service-kit/bootstrap';
import { AppModule } from './app.module.js';
import { BlocksSettings } from './config/index.js';
import { isHandshake } from './live/connect/live-path.js';

/** The blocks API as one process runs it. */
export const BLOCKS_API: ServiceDefinition = {
  name: 'blocks-api',
  description: 'Reads and moves the flows and blocks of a user, over HTTP and live over a socket.',
  module: AppModule,
  settings: BlocksSettings,
  takesUpgrade: isHandshake,
};
