import { Module } from '@nestjs/common';
import { FlowsModule } from '../flows/flows.module.js';
import { LiveBusModule } from '../live-bus/live-bus.module.js';
import { FrameCheck } from './connect/frame-check.js';
import { LiveConnections } from './connect/live-connections.js';
import { LiveGateway } from './connect/live.gateway.js';
import { SocketAuth } from './connect/socket-auth.js';
import { SocketsByKey } from './connect/sockets-by-key.js';
import { UpgradeCheck } from './connect/upgrade-check.js';
import { LiveLifecycle } from './live-lifecycle.js';
import { LiveMetrics } from './connect/live-metrics.js';
import { ArchiveNotifier } from './watch/archive-notifier.js';
import { ChangeReader } from './read/change-reader.js';
import { SnapshotReader } from './read/snapshot-reader.js';
import { WatchHandlers } from './watch/watch-handlers.js';
import { WatchedStates } from './watch/watched-states.js';

const CONNECT = [LiveGateway, UpgradeCheck, FrameCheck, SocketAuth, SocketsByKey, LiveConnections];
const WATCH = [WatchHandlers, WatchedStates, SnapshotReader, ChangeReader, ArchiveNotifier];

/** Live updates over sockets (L1 to L8). */
@Module({
  imports: [LiveBusModule, FlowsModule],
  providers: [...CONNECT, ...WATCH, LiveMetrics, LiveLifecycle],
})
export class LiveModule {}
