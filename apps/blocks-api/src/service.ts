import type { ServiceDefinition } from '@waymark/service-kit/bootstrap';
import { BLOCKS_CONNECTIONS } from '@waymark/domain/flows';
import { Module } from '@nestjs/common';
import { BlocksSettings } from './config/settings.js';
import { isHandshake } from './live/connect/live-path.js';
import { ElementsModule } from './elements/elements.module.js';
import { FlowsModule } from './flows/flows.module.js';
import { LiveModule } from './live/live.module.js';
import { OutboundModule } from './outbound/outbound.module.js';

/** Everything the blocks API serves, apart from health and docs. */
@Module({ imports: [FlowsModule, LiveModule, OutboundModule, ElementsModule] })
class AppModule {}

/** The blocks API as one process runs it. */
export const BLOCKS_API: ServiceDefinition = {
  name: 'blocks-api',
  connections: BLOCKS_CONNECTIONS,
  description: 'Reads and moves the flows and blocks of a user, over HTTP and live over a socket.',
  module: AppModule,
  settings: BlocksSettings,
  takesUpgrade: isHandshake,
};
