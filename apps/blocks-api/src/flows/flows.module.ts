import { Module } from '@nestjs/common';
import { Database, ReferenceWatch } from '@waymark/domain/database';
import { RunCommand, StateChanges } from '@waymark/domain/states';
import { FlowCatalogue } from '@waymark/domain/flows';
import { SETTINGS } from '@waymark/service-kit/config';
import type { BlocksSettings } from '../config/settings.js';
import { BlocksController } from './blocks.controller.js';
import { LiveBusModule } from '../live-bus/live-bus.module.js';
import { FlowListController, FlowsController, FlowTypesController } from './flows.controller.js';
import { FlowsService } from './flows.service.js';

/** Flows and blocks over HTTP, and the use case that live watches and effects run too. */
@Module({
  imports: [LiveBusModule],
  controllers: [FlowListController, FlowTypesController, FlowsController, BlocksController],
  providers: [
    {
      provide: FlowCatalogue,
      useFactory: (database: Database, watch: ReferenceWatch) => new FlowCatalogue(database, watch),
      inject: [Database, ReferenceWatch],
    },
    {
      provide: RunCommand,
      // A request that waits longer has been answered with 503.
      useFactory: (
        database: Database,
        catalogue: FlowCatalogue,
        changes: StateChanges,
        settings: BlocksSettings,
      ) => new RunCommand(database, catalogue, changes, { patienceMs: settings.requestTimeoutMs }),
      inject: [Database, FlowCatalogue, StateChanges, SETTINGS],
    },
    FlowsService,
  ],
  exports: [FlowCatalogue, RunCommand],
})
export class FlowsModule {}
