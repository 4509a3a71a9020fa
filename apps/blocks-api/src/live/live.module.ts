import { Module } from '@nestjs/common';
import { Database } from '@waymark/domain/database';
import { KeyRing } from '@waymark/domain/environments';
import { RunCommand } from '@waymark/domain/flow-states';
import { FlowCatalogue } from '@waymark/domain/flows';
import type { LiveBus } from '@waymark/domain/live-bus';
import { LOGGER } from '@waymark/service-kit/logging';
import { type ServiceSettings, SETTINGS } from '@waymark/service-kit/config';
import { Metrics } from '@waymark/service-kit/metrics';
import type { Logger } from 'pino';
import { FlowsModule } from '../flows/flows.module.js';
import { ArchiveWatch } from './archive-watch.js';
import { ChangeReader } from './change-reader.js';
import { Connections } from './connections.js';
import { Doorkeeper } from './doorkeeper.js';
import { KeyWatch } from './key-watch.js';
import { LIVE_BUS, LiveBusModule } from './live-bus.module.js';
import { LiveLifecycle } from './live-lifecycle.js';
import { LiveMetrics } from './live-metrics.js';
import type { LiveSettings } from './live-settings.js';
import { LiveStateChanges } from './live-state-changes.js';
import { LiveGateway } from './live.gateway.js';
import { SnapshotReader } from './snapshot-reader.js';
import { WatchDesk } from './watch-desk.js';
import { WatchedStates } from './watched-states.js';

const trouble = (logger: Logger) => (error: unknown) => logger.warn({ err: error }, 'live updates wait for the database');

/** Live updates over sockets (L1 to L8). */
@Module({
  imports: [LiveBusModule, FlowsModule],
  providers: [
    LiveGateway,
    Connections,
    { provide: KeyWatch, useFactory: (keys: KeyRing) => new KeyWatch(keys), inject: [KeyRing] },
    {
      provide: ChangeReader,
      useFactory: (database: Database, catalogue: FlowCatalogue, logger: Logger) =>
        new ChangeReader(database, catalogue, trouble(logger)),
      inject: [Database, FlowCatalogue, LOGGER],
    },
    {
      provide: SnapshotReader,
      useFactory: (catalogue: FlowCatalogue, runCommand: RunCommand, changes: ChangeReader, logger: Logger) =>
        new SnapshotReader(catalogue, runCommand, changes, trouble(logger)),
      inject: [FlowCatalogue, RunCommand, ChangeReader, LOGGER],
    },
    {
      provide: WatchedStates,
      useFactory: (snapshots: SnapshotReader, changes: ChangeReader) => new WatchedStates(snapshots, changes),
      inject: [SnapshotReader, ChangeReader],
    },
    {
      provide: WatchDesk,
      useFactory: (catalogue: FlowCatalogue, states: WatchedStates, keyWatch: KeyWatch, logger: Logger) =>
        new WatchDesk(catalogue, states, keyWatch, trouble(logger)),
      inject: [FlowCatalogue, WatchedStates, KeyWatch, LOGGER],
    },
    {
      provide: Doorkeeper,
      useFactory: (keys: KeyRing, keyWatch: KeyWatch, connections: Connections, settings: ServiceSettings & LiveSettings) =>
        new Doorkeeper(keys, keyWatch, connections, settings, settings.corsOrigins),
      inject: [KeyRing, KeyWatch, Connections, SETTINGS],
    },
    {
      provide: ArchiveWatch,
      useFactory: (catalogue: FlowCatalogue, states: WatchedStates, snapshots: SnapshotReader) =>
        new ArchiveWatch(catalogue, states, snapshots),
      inject: [FlowCatalogue, WatchedStates, SnapshotReader],
    },
    {
      provide: LiveMetrics,
      useFactory: (metrics: Metrics, connections: Connections, states: WatchedStates, bus: LiveBus) =>
        new LiveMetrics(metrics, {
          sockets: () => connections.size,
          states: () => states.size,
          isBusConnected: () => bus.isConnected,
        }),
      inject: [Metrics, Connections, WatchedStates, LIVE_BUS],
    },
    {
      provide: LiveLifecycle,
      useFactory: (
        bus: LiveBus,
        changes: LiveStateChanges,
        states: WatchedStates,
        keyWatch: KeyWatch,
        doorkeeper: Doorkeeper,
        connections: Connections,
      ) => new LiveLifecycle(bus, changes, states, keyWatch, doorkeeper, connections),
      inject: [LIVE_BUS, LiveStateChanges, WatchedStates, KeyWatch, Doorkeeper, Connections],
    },
  ],
})
export class LiveModule {}
