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
import { LIVE_BUS, LiveBusModule } from './bus/live-bus.module.js';
import { LiveStateChanges } from './bus/live-state-changes.js';
import { Connections } from './connect/connections.js';
import { LiveGateway } from './connect/live.gateway.js';
import { SocketAuth } from './connect/socket-auth.js';
import { SocketsByKey } from './connect/sockets-by-key.js';
import { UpgradeCheck } from './connect/upgrade-check.js';
import { LiveLifecycle } from './live-lifecycle.js';
import { LiveMetrics } from './live-metrics.js';
import type { LiveSettings } from './live-settings.js';
import { ArchiveNotifier } from './watch/archive-notifier.js';
import { ChangeReader } from './watch/change-reader.js';
import { SnapshotReader } from './watch/snapshot-reader.js';
import { WatchHandlers } from './watch/watch-handlers.js';
import { WatchedStates } from './watch/watched-states.js';

const trouble = (logger: Logger) => (error: unknown) => logger.warn({ err: error }, 'live updates wait for the database');

/** Live updates over sockets (L1 to L8). */
@Module({
  imports: [LiveBusModule, FlowsModule],
  providers: [
    LiveGateway,
    Connections,
    { provide: SocketsByKey, useFactory: (keys: KeyRing) => new SocketsByKey(keys), inject: [KeyRing] },
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
      provide: WatchHandlers,
      useFactory: (catalogue: FlowCatalogue, states: WatchedStates, logger: Logger) =>
        new WatchHandlers(catalogue, states, trouble(logger)),
      inject: [FlowCatalogue, WatchedStates, LOGGER],
    },
    {
      provide: UpgradeCheck,
      useFactory: (connections: Connections, settings: ServiceSettings & LiveSettings) =>
        new UpgradeCheck(connections, settings, settings.corsOrigins),
      inject: [Connections, SETTINGS],
    },
    {
      provide: SocketAuth,
      useFactory: (keys: KeyRing, socketsByKey: SocketsByKey, settings: LiveSettings) =>
        new SocketAuth(keys, socketsByKey, settings),
      inject: [KeyRing, SocketsByKey, SETTINGS],
    },
    {
      provide: ArchiveNotifier,
      useFactory: (catalogue: FlowCatalogue, states: WatchedStates, snapshots: SnapshotReader) =>
        new ArchiveNotifier(catalogue, states, snapshots),
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
        socketsByKey: SocketsByKey,
        upgrades: UpgradeCheck,
        connections: Connections,
      ) => new LiveLifecycle(bus, changes, states, socketsByKey, upgrades, connections),
      inject: [LIVE_BUS, LiveStateChanges, WatchedStates, SocketsByKey, UpgradeCheck, Connections],
    },
  ],
})
export class LiveModule {}
